"""Reads receipts as the SDKs of their ecosystems do: lines `{"protocol", "receipt"}` on standard input."""

import json
import sys

from anthropic.types import ToolResultBlockParam
from mcp.types import CallToolResult, JSONRPCResponse
from openai.types.chat import ChatCompletionToolMessageParam
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

counts = {}
for line in sys.stdin:
    row = json.loads(line)
    protocol, receipt = row["protocol"], row["receipt"]
    if protocol == "mcp":
        response = JSONRPCResponse.model_validate(receipt)
        result = CallToolResult.model_validate(response.result)
        assert result.content[0].type == "text", receipt
    else:
        shape = {
            "openai-chat": ChatCompletionToolMessageParam,
            "openai-responses": FunctionCallOutput,
            "anthropic": ToolResultBlockParam,
        }[protocol]
        adapter = TypeAdapter(shape)
        adapter.validate_python(receipt)
        known = set(shape.__annotations__)
        assert set(receipt) <= known, (set(receipt) - known, known)
    counts[protocol] = counts.get(protocol, 0) + 1
print(json.dumps(counts))
