#!/usr/bin/python3
"""No name in the schemas is one that some language's programs can't write:
  names_test.py PROTO_FOLDER

buf's rules know nothing of languages. Generators of C#, Go, Java, JavaScript and Rust write names
in another case, behind get_ or as raw identifiers, so their keywords do no harm; what does is
  - a keyword of Python, whose messages have fields as attributes: `request.from` is an error;
  - a keyword of C++, which gets an underscore that nobody expects;
  - a macro of windows.h, where `request.near()` becomes `request.()`;
  - one of the four words that Rust does not let programs write as raw identifiers."""

import keyword
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2

CPP = """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t
char16_t char32_t class compl concept const consteval constexpr constinit const_cast continue
co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
nullptr operator or or_eq private protected public register reinterpret_cast requires return short
signed sizeof static static_assert static_cast struct switch template this thread_local throw true
try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq"""
WINDOWS = """near far min max small hyper interface pascal cdecl CALLBACK CONST DELETE ERROR FALSE
IGNORE IN NO_ERROR OPTIONAL OUT STRICT THIS TRUE VOID"""
RUST = "crate self super Self"
FORBIDDEN = {**{word: "a keyword of C++" for word in CPP.split()},
             **{word: "a macro of windows.h" for word in WINDOWS.split()},
             **{word: "a word of Rust" for word in RUST.split()},
             **{word: "a keyword of Python" for word in keyword.kwlist}}


def names_of_enum(enum, path):
    yield f"{path}.{enum.name}", enum.name
    for value in enum.value:
        yield f"{path}.{enum.name}.{value.name}", value.name


def names_of_message(message, path):
    path = f"{path}.{message.name}"
    yield path, message.name
    for part in (*message.field, *message.oneof_decl):
        yield f"{path}.{part.name}", part.name
    for enum in message.enum_type:
        yield from names_of_enum(enum, path)
    for inner in message.nested_type:
        yield from names_of_message(inner, path)


def names_of_file(file):
    yield from ((file.package, part) for part in file.package.split("."))
    for message in file.message_type:
        yield from names_of_message(message, file.package)
    for enum in file.enum_type:
        yield from names_of_enum(enum, file.package)
    for service in file.service:
        yield from ((f"{file.package}.{service.name}.{m.name}", m.name) for m in service.method)


def main(folder):
    schemas = sorted(path.relative_to(folder) for path in folder.rglob("*.proto"))
    with tempfile.NamedTemporaryFile() as compiled:
        subprocess.run(["protoc", "-I", folder, "-o", compiled.name, *schemas], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(compiled.read())
    names = [name for file in files.file for name in names_of_file(file)]
    wrong = [(path, name) for path, name in names if name in FORBIDDEN]
    for path, name in wrong:
        print(f"{path}: {name} is {FORBIDDEN[name]}")
    print(f"{len(names)} names in {len(schemas)} files, {len(wrong)} of them wrong")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
