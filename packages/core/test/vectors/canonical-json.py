"""Writes canonical-json.json: texts, and for each the canonical form that Python's json gives (null: not JSON).

    python3 canonical-json.py > canonical-json.json

Python is the peer whose equalities `canonicalJson` has to share; its spelling of floats is its own.
"""

import json
import random

HAND = [
    "1", "1.0", "1e0", "1E+0", "10e-1", "-0", "0", "-0.0", "0.0", "1e2", "100.0", "100", "1e999", "Infinity",
    "-Infinity", "-1e999", "NaN", "nan", "9007199254740993", "9007199254740992", "9007199254740993.0",
    "123456789012345678901234567890", "123456789012345678901234567891", "1e-7", "0.0000001", "5e-324", "4e-324",
    "0.1", "0.10", "01", "-01", "1.", ".5", "+1", "1e", "--1", "true", "True", "null", "nul", "nullx", "[1,]", "[,]",
    "[]", "[ ]", "{}", "{ }", "{,}", '{"a":1,}', '{"a":1,"a":2}', '{"a":2}', '{"a":2,"b":1}', '{"b":1,"a":2}',
    '{"b": 1, "a": 2}', "{a:1}", "{a: 1}", "{'a':1}", '{"a" :1}', '{"a"\n:\t1}', '{"a"}', '{"a":}', '{1:2}',
    '"é"', '"\\u00e9"', '"\\u00E9"', '"e\u0301"', '"\\/"', '"/"', '"\\x"', '"\\u12"', '"\\ud83d\\ude00"', '"😀"',
    '"\\ud83d"', '"a\nb"', '"a\\nb"', '"\t"', '"\\t"', '"\u007f"', '"\\u007f"', '"\u2028"', '"\\u2028"', '"unclosed',
    '"', "", " ", "[1] 2", "[1]2", " [1] ", "\ufeff1", "\u00a01", "[1,[2,{\"z\":[],\"a\":{}}]]",
    '[1, [2, {"a": {}, "z": []}]]', '{"x":{"b":1,"a":[{"d":1,"c":2}]}}', '{"x":{"a":[{"c":2,"d":1}],"b":1}}',
    '{"__proto__":1}', '{"__proto__":2}', '{"10":1,"9":2}', '{"9":2,"10":1}', '{"a":1.0}', '{"a":1}',
]


def value(random_: random.Random, depth: int):
    kind = random_.randrange(8 if depth < 3 else 6)
    if kind == 0:
        return random_.choice([None, True, False])
    if kind == 1:
        return random_.randrange(-3, 4)
    if kind == 2:
        return random_.choice([0.5, -1.25, 1.0, 100.0, 1e-9, 1e21, 12345678901234567890])
    if kind in (3, 4, 5):
        return "".join(random_.choice('ab"\\/é😀\n ') for _ in range(random_.randrange(4)))
    if kind == 6:
        return [value(random_, depth + 1) for _ in range(random_.randrange(4))]
    return {random_.choice(["a", "b", "é", "aa"]): value(random_, depth + 1) for _ in range(random_.randrange(4))}


def spelt(random_: random.Random, item) -> str:
    """One of the many texts of a value."""
    separators = random_.choice([(",", ":"), (", ", ": "), (" ,\n", "\t: ")])
    return json.dumps(item, ensure_ascii=random_.random() < 0.5, separators=separators, sort_keys=random_.random() < 0.5)


def canonical(text: str) -> str | None:
    try:
        return json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    except ValueError:
        return None


def main() -> None:
    random_ = random.Random(20261130)
    texts = list(HAND)
    for _ in range(120):
        item = value(random_, 0)
        texts += [spelt(random_, item), spelt(random_, item)]
        broken = spelt(random_, item)
        if len(broken) > 1:
            at = random_.randrange(len(broken))
            texts.append(broken[:at] + broken[at + 1 :])
    vectors = [[text, canonical(text)] for text in dict.fromkeys(texts)]
    print("[\n" + ",\n".join(json.dumps(vector) for vector in vectors) + "\n]")


if __name__ == "__main__":
    main()
