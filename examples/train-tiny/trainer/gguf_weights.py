"""Weights in GGUF, the format of llama.cpp: read from any quantisation, written in 32 bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import MODEL_ARCH, GGUFReader, GGUFValueType, GGUFWriter, LlamaFileType, get_tensor_name_map
from gguf.quants import dequantize
from transformers import LlamaConfig, LlamaForCausalLM

WRITTEN_ANEW = {"general.architecture", "general.file_type", "general.quantization_version"}


def read_gguf(path: Path) -> LlamaForCausalLM:
    """The model in a file, dequantised."""
    reader = GGUFReader(path)
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    config = config_of(reader, is_tied="output.weight" not in tensors)
    names = names_of(config)
    with torch.device("meta"):
        policy = LlamaForCausalLM(config)
    state = {}
    for name, _ in policy.named_parameters():
        tensor = tensors[names[name]]
        values = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        heads = heads_of(name, config)
        state[name] = torch.from_numpy(values if heads is None else halved(values, heads))
    policy.load_state_dict(state, strict=False, assign=True)
    policy.tie_weights()
    # The rotation is made from the config, not from the file.
    policy.model.rotary_emb = type(policy.model.rotary_emb)(config)
    return policy


def config_of(reader: GGUFReader, is_tied: bool) -> LlamaConfig:
    def field(name: str) -> Any:
        return reader.fields[name].contents()

    return LlamaConfig(
        vocab_size=field("llama.vocab_size"),
        hidden_size=field("llama.embedding_length"),
        intermediate_size=field("llama.feed_forward_length"),
        num_hidden_layers=field("llama.block_count"),
        num_attention_heads=field("llama.attention.head_count"),
        num_key_value_heads=field("llama.attention.head_count_kv"),
        max_position_embeddings=field("llama.context_length"),
        rms_norm_eps=field("llama.attention.layer_norm_rms_epsilon"),
        rope_theta=field("llama.rope.freq_base"),
        tie_word_embeddings=is_tied,
        dtype="float32",
    )


def write_gguf(policy: LlamaForCausalLM, like: Path, path: Path) -> None:
    """Write the weights of `policy` with the metadata (tokenizer, shape) of the file `like`."""
    writer = GGUFWriter(path, "llama")
    for name, field in GGUFReader(like).fields.items():
        if name.startswith("GGUF.") or name in WRITTEN_ANEW:
            continue
        inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
        writer.add_key_value(name, field.contents(), field.types[0], inner)
    writer.add_file_type(LlamaFileType.ALL_F32)
    names = names_of(policy.config)
    for name, parameter in policy.named_parameters():
        values = parameter.detach().numpy()
        heads = heads_of(name, policy.config)
        writer.add_tensor(names[name], values if heads is None else paired(values, heads))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def names_of(config: LlamaConfig) -> dict[str, str]:
    """llama.cpp's name of each of transformers' tensors. A head that is tied to the embedding has none of its own."""
    table = get_tensor_name_map(MODEL_ARCH.LLAMA, config.num_hidden_layers).mapping
    return {f"{theirs}.weight": f"{ours}.weight" for theirs, (_, ours) in table.items()}


def heads_of(name: str, config: LlamaConfig) -> int | None:
    """How many heads rotate what this tensor gives; None for all but queries and keys."""
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    return heads.get(name.split(".")[-2])


def paired(values: np.ndarray, heads: int) -> np.ndarray:
    """transformers keeps the two halves of a head's rotation one after the other, llama.cpp pairs them."""
    halves = values.reshape(heads, 2, -1, values.shape[1])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(values.shape)


def halved(values: np.ndarray, heads: int) -> np.ndarray:
    """Undoes `paired`."""
    pairs = values.reshape(heads, -1, 2, values.shape[1])
    return np.ascontiguousarray(pairs.swapaxes(1, 2)).reshape(values.shape)
