"""A harness in Python before `policyctl gate`: judge, ask, run at most once, hand the receipt to the model.

    python3 client.py POLICYCTL ARGUMENT...    tool calls of the Anthropic protocol on standard input, one a line;
                                               receipts on standard output, one a line, in order
"""

import json
import subprocess
import sys


class Gate:
    """One `policyctl gate` that answers calls one after another."""

    def __init__(self, policyctl, arguments):
        self.process = subprocess.Popen(
            [policyctl, "gate", "--protocol", "anthropic", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def say(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the gate has gone: nothing runs without it")
        return json.loads(line)

    def receipt(self, call, run, ask):
        """The receipt of `call`. `run(call)` is called at most once, and only if the gate says so."""
        self.say({"call": call})
        while True:
            line = self.hear()
            if "error" in line:
                raise ValueError(line["error"])
            if "receipt" in line:
                return line["receipt"]
            if line["decision"] == "ask":
                self.say({"answer": {"id": line["id"], **ask(line["question"])}})
            elif line["decision"] == "allow":
                try:
                    result = {"text": run(call), "is_error": False}
                except Exception as error:  # the model reads why its tool failed
                    result = {"text": str(error), "is_error": True}
                self.say({"result": {"id": line["id"], **result}})


def run(call):
    """The tools of this harness."""
    arguments = call["input"]
    if call["name"] == "bash":
        done = subprocess.run(arguments["command"], shell=True, capture_output=True, text=True, timeout=60, check=False)
        return done.stdout + done.stderr
    if call["name"] == "write":
        with open(arguments["file"], "w", encoding="utf-8") as file:
            file.write(arguments["content"])
        return "written"
    raise ValueError(f"there is no tool {call['name']}")


def ask(question):
    """Asks at the terminal; without one, nobody is there."""
    print(f"{question['tool']}: {question['input']}\n{question['reason']}", file=sys.stderr)
    try:
        with open("/dev/tty", "r+", encoding="utf-8") as terminal:
            terminal.write("Run it? [y/N] ")
            terminal.flush()
            approved = terminal.readline().strip().lower() in ("y", "yes")
    except OSError:
        return {"approved": False, "reason": "nobody was there to ask"}
    return {"approved": approved, "approver": "terminal"}


def main():
    gate = Gate(sys.argv[1], sys.argv[2:])
    for line in sys.stdin:
        print(json.dumps(gate.receipt(json.loads(line), run, ask)), flush=True)


if __name__ == "__main__":
    main()
