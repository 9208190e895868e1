"""Bridges the conversation of ../renderers.ts with the Python package `renderers`; prints the processor time of a round."""

import json, sys, time
from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast
from renderers.configs import Qwen3RendererConfig
from renderers.qwen3 import Qwen3Renderer

given = json.load(open(sys.argv[1]))
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=Tokenizer.from_file(given["tokenizer"]), eos_token="<|im_end|>", unk_token="<|unk|>"
)
renderer = Qwen3Renderer(tokenizer, Qwen3RendererConfig())
first, *rest = given["messages"]
results = [{"role": "tool", "tool_call_id": m["toolCallId"], "content": m["content"]} for m in rest if m["role"] == "tool"]


def round_of():
    prompt = renderer.render([first], add_generation_prompt=True).token_ids
    for completion, result in zip(given["completions"], results):
        prompt = renderer.bridge_to_next_turn(prompt, completion, [result]).token_ids
    return prompt


for _ in range(3):
    round_of()
start = time.process_time()
for _ in range(given["rounds"]):
    prompt = round_of()
print(json.dumps({"micros": (time.process_time() - start) * 1e6 / given["rounds"], "tokens": len(prompt)}))
