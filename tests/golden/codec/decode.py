#!/usr/bin/env python3
"""Decodes the vectors with client-sdk/examples/python/terrane_format.py, which follows
proto/FORMAT.md and nothing else.

decode.py FILE             prints the chunk as text: FORMAT.md, "Vectors"
decode.py --check FOLDER   decodes every .bin there and compares with the .txt beside it; every
                           .bin in its folder refused/ must be refused
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "client-sdk/examples/python"))

import terrane_format  # noqa: E402 (its folder had to be named first)


def as_text(chunk):
    lines = [f"size {chunk['size']}", f"lod {chunk['lod']}"]
    size = chunk["size"]
    for layer in terrane_format.LAYERS.values():
        if layer.name not in chunk:
            continue
        rows = [chunk[layer.name][y * size:(y + 1) * size] for y in range(size)]
        lines += [layer.name] + [" ".join(map(str, row)) for row in rows]
    for name in ("placement", "structure", "room"):
        lines += [" ".join(map(str, (name, *thing))) for thing in chunk.get(name + "s", [])]
    return "\n".join(lines) + "\n"


def why_refused(path):
    """The decoder's words, or None where it takes the bytes."""
    try:
        terrane_format.decode(path.read_bytes())
    except terrane_format.Damaged as error:
        return str(error)
    return None


def check(folder):
    vectors = sorted(pathlib.Path(folder).glob("*.bin"))
    wrong = [v.name for v in vectors
             if as_text(terrane_format.decode(v.read_bytes())) != v.with_suffix(".txt").read_text()]
    bad = sorted(pathlib.Path(folder, "refused").glob("*.bin"))
    taken = [v.name for v in bad if why_refused(v) is None]
    for path in bad:
        print(f"{path.stem}: {why_refused(path)}")
    print(f"{len(vectors)} vectors, wrong: {', '.join(wrong) or 'none'}")
    print(f"{len(bad)} to be refused, taken: {', '.join(taken) or 'none'}")
    return 0 if vectors and bad and not wrong and not taken else 1


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2]))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(as_text(terrane_format.decode(pathlib.Path(sys.argv[1]).read_bytes())))
