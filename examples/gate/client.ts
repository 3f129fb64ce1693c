// A harness in TypeScript before `policyctl gate`: judge, ask, run at most once, hand the receipt to the model.
//
//   node client.ts POLICYCTL ARGUMENT...    (Node 22.18 or later, which strips types; or any runtime that does)
//
// Tool calls of the Anthropic protocol on standard input, one a line; receipts on standard output, one a line, in order.

import { execSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

type Call = { type: "tool_use"; id: string; name: string; input: Record<string, string> };
type Question = { tool: string; input: string; reason: string };
type Answer = { approved: boolean; approver?: string; reason?: string };
type Line = { id?: string; decision?: "allow" | "ask" | "deny"; question?: Question; receipt?: object; error?: string };

/** One `policyctl gate` that answers calls one after another. */
class Gate {
  private lines: AsyncIterator<string>;
  private input: NodeJS.WritableStream;

  constructor(policyctl: string, args: string[]) {
    const process = spawn(policyctl, ["gate", "--protocol", "anthropic", ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.input = process.stdin;
    this.lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  }

  private say(line: object): void {
    this.input.write(JSON.stringify(line) + "\n");
  }

  end(): void {
    this.input.end();
  }

  /** The receipt of `call`. `run` is called at most once, and only if the gate says so. */
  async receipt(call: Call, run: (call: Call) => string, ask: (question: Question) => Answer): Promise<object> {
    this.say({ call });
    for (;;) {
      const next = await this.lines.next();
      if (next.done) throw new Error("the gate has gone: nothing runs without it");
      const line: Line = JSON.parse(next.value);
      if (line.error !== undefined) throw new Error(line.error);
      if (line.receipt !== undefined) return line.receipt;
      if (line.decision === "ask" && line.question !== undefined) {
        this.say({ answer: { id: line.id, ...ask(line.question) } });
      } else if (line.decision === "allow") {
        let result: { text: string; is_error: boolean };
        try {
          result = { text: run(call), is_error: false };
        } catch (error) {
          result = { text: String(error), is_error: true };
        }
        this.say({ result: { id: line.id, ...result } });
      }
    }
  }
}

/** The tools of this harness. */
function run(call: Call): string {
  switch (call.name) {
    case "bash":
      return execSync(call.input.command ?? "", { encoding: "utf8", timeout: 60_000 });
    case "write":
      writeFileSync(call.input.file ?? "", call.input.content ?? "");
      return "written";
    default:
      throw new Error(`there is no tool ${call.name}`);
  }
}

/** A harness without a terminal: nobody is there to ask. */
function ask(question: Question): Answer {
  process.stderr.write(`${question.tool}: ${question.input}\n${question.reason}\n`);
  return { approved: false, reason: "nobody was there to ask" };
}

const [policyctl = "policyctl", ...rest] = process.argv.slice(2);
const gate = new Gate(policyctl, rest);
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await gate.receipt(JSON.parse(line), run, ask)));
}
gate.end();
