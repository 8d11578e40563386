# SPDX-License-Identifier: Apache-2.0
"""Reads the public headers with libclang into the model, and refuses what it cannot describe."""
import re
import subprocess
from pathlib import Path

from description.comment import length_of, may_be_null, plain, take_apart
from description.model import (Callback, Enum, Function, Handle, Header, Member, Param, Struct,
                               Type, Value)


class Unavailable(Exception):
    """libclang or what it needs is not on this machine."""


try:
    from clang import cindex
    from clang.cindex import CursorKind, TypeKind
    NUMBERS = {
        TypeKind.VOID: "void", TypeKind.CHAR_S: "char", TypeKind.SCHAR: "int8",
        TypeKind.UCHAR: "uint8", TypeKind.SHORT: "int16", TypeKind.USHORT: "uint16",
        TypeKind.INT: "int32", TypeKind.UINT: "uint32", TypeKind.LONG: "int64",
        TypeKind.ULONG: "uint64", TypeKind.LONGLONG: "int64", TypeKind.ULONGLONG: "uint64",
        TypeKind.FLOAT: "float", TypeKind.DOUBLE: "double",
    }
except ImportError:
    cindex = None

# The order of the headers is that of reading, and every one comes after those it includes.
ORDER = ["error", "device", "stream", "event", "memory", "mempool", "module", "graph", "launch", "node",
         "user_object", "exec", "conditional", "profile", "external_semaphore", "memop", "symbol", "any_node", "capture",
         "recapture", "interop"]


def parsed(path, text=None):
    """The translation unit of a file, or of `text` in its place."""
    arguments = ["-xc", "-std=c11", f"-I{path.parents[1]}"]
    try:
        # Debian's libclang comes without the compiler's own headers, such as stddef.h.
        own = subprocess.run(["cc", "-print-file-name=include"], capture_output=True, text=True,
                             check=True).stdout.strip()
        arguments += ["-isystem", own]
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        index = cindex.Index.create()
    except cindex.LibclangError as error:
        raise Unavailable(str(error).split(".")[0]) from None
    unit = index.parse(str(path), arguments, [(str(path), text)] if text else None,
                       options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    for diagnostic in unit.diagnostics:
        if diagnostic.severity >= cindex.Diagnostic.Error:
            raise Unavailable(f"{path.name} does not parse: {diagnostic.spelling}")
    return unit


def type_of(clang_type, where):
    """The model's type for clang's."""
    if clang_type.spelling.removeprefix("const ") == "size_t":
        return Type("size", const=clang_type.is_const_qualified())
    kind, const = clang_type.kind, clang_type.is_const_qualified()
    if kind == TypeKind.ELABORATED:
        return type_of(clang_type.get_named_type(), where)
    if kind == TypeKind.TYPEDEF:
        name = clang_type.get_declaration().spelling
        below = clang_type.get_declaration().underlying_typedef_type
        if below.kind == TypeKind.POINTER:
            pointee = below.get_pointee().get_canonical().kind
            if pointee == TypeKind.RECORD:
                return Type("handle", name)
            if pointee == TypeKind.FUNCTIONPROTO:
                return Type("callback", name)
        record = below.get_canonical().kind
        if record in (TypeKind.RECORD, TypeKind.ENUM):
            return Type("struct" if record == TypeKind.RECORD else "enum", name, const=const)
        return type_of(below.get_canonical(), where)
    if kind in (TypeKind.RECORD, TypeKind.ENUM):
        return Type("struct" if kind == TypeKind.RECORD else "enum",
                    clang_type.get_declaration().spelling, const=const)
    if kind == TypeKind.POINTER:
        return Type("pointer", of=type_of(clang_type.get_pointee(), where), const=const)
    if kind == TypeKind.CONSTANTARRAY:
        return Type("array", of=type_of(clang_type.element_type, where),
                    count=clang_type.element_count)
    if kind in NUMBERS:
        return Type(NUMBERS[kind], const=const)
    raise SystemExit(f"{where}: {clang_type.spelling} has no place in the model")


def function_of(cursor):
    doc, said = take_apart(cursor.raw_comment)
    where = f"{Path(cursor.location.file.name).name}: {cursor.spelling}"
    params = []
    for argument in cursor.get_arguments():
        # What the comment does not mention goes in, except where the type tells otherwise.
        direction, text = said.pop(argument.spelling, ("in", ""))
        params.append(Param(argument.spelling, type_of(argument.type, where), direction,
                            length_of(text), may_be_null(text), text, argument.type.spelling))
        if direction != "in" and params[-1].type.kind not in ("pointer", "callback"):
            raise SystemExit(f"{where}: {argument.spelling} cannot be written")
    for name in said:
        raise SystemExit(f"{where}: the comment describes {name}, which is no parameter")
    if not doc.since:
        raise SystemExit(f"{where}: the comment has no 'Since X.Y.'")
    return Function(cursor.spelling, type_of(cursor.result_type, where), params, doc)


def structs_of(cursor, name):
    """A struct or union, behind the union without a name inside it if there is one."""
    members, inside = [], []
    for field in cursor.type.get_declaration().get_children():
        if field.kind == CursorKind.FIELD_DECL:
            members.append(Member(field.spelling, type_of(field.type, f"{name}.{field.spelling}"),
                                  cursor.type.get_offset(field.spelling) // 8,
                                  plain(field.raw_comment)))
        elif field.kind == CursorKind.UNION_DECL and field.is_anonymous():
            inside += structs_of(field, f"{name}_union")
            first = inside[-1].members[0].name
            members.append(Member("of_kind", Type("struct", inside[-1].name),
                                  cursor.type.get_offset(first) // 8))
    own = Struct(name, members, cursor.type.get_size(), take_apart(cursor.raw_comment)[0],
                 union=cursor.kind == CursorKind.UNION_DECL,
                 anonymous=["of_kind"] if inside else [])
    return inside + [own]


def enum_of(cursor, name):
    values = [Value(v.spelling, v.enum_value, plain(v.raw_comment)) for v in cursor.get_children()
              if v.kind == CursorKind.ENUM_CONSTANT_DECL]
    return Enum(cursor.spelling, name, values, take_apart(cursor.raw_comment)[0])


def constants_of(path, text):
    """The macros that stand for a number, with what clang makes of them."""
    names = {}
    pattern = r"((?:^///[^\n]*\n)*)^#define (\w+)(?:[ \t]*\\\n)?[ \t]+(?=[^\s_:])"
    for match in re.finditer(pattern, text, re.MULTILINE):
        if match.group(2) not in ("XPU_API", "XPU_ENUM"):
            names[match.group(2)] = plain(match.group(1))
    if not names:
        return []
    probe = "".join(f"enum {{ value_{n} = (long long)({n}) }};\n" for n in names)
    unit = parsed(path, text + probe)
    found = {}
    for cursor in unit.cursor.walk_preorder():
        if cursor.kind == CursorKind.ENUM_CONSTANT_DECL and cursor.spelling.startswith("value_"):
            found[cursor.spelling[len("value_"):]] = cursor.enum_value
    return [Value(name, found[name], doc) for name, doc in names.items()]


def purpose_of(text):
    """The comment at the head of a header, a paragraph a line."""
    lines = []
    for line in text.splitlines()[1:]:
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return "\n".join(" ".join(p.split()) if not p.startswith("-") else p
                     for p in "\n".join(lines).split("\n\n"))


def header_of(path):
    text = path.read_text(encoding="utf-8")
    header = Header(path.stem, purpose_of(text),
                    includes=re.findall(r"^#include <xpugraph/(\w+)\.h>", text, re.MULTILINE),
                    constants=constants_of(path, text))
    for cursor in parsed(path).cursor.get_children():
        if not cursor.location.file or cursor.location.file.name != str(path):
            continue
        if cursor.kind == CursorKind.FUNCTION_DECL:
            header.functions.append(function_of(cursor))
        elif cursor.kind == CursorKind.TYPEDEF_DECL:
            typedef(header, cursor)
    return header


def typedef(header, cursor):
    name, below = cursor.spelling, cursor.underlying_typedef_type
    kind = type_of(cursor.type, name).kind
    if kind == "handle":
        header.handles.append(Handle(name, take_apart(cursor.raw_comment)[0]))
    elif kind == "callback":
        prototype = below.get_pointee().get_canonical()
        header.callbacks.append(Callback(
            name, type_of(prototype.get_result(), name),
            # Of the prototype's own types only the canonical ones are told, without their names.
            [type_of(c.type, name) for c in cursor.get_children()
             if c.kind == CursorKind.PARM_DECL],
            take_apart(cursor.raw_comment)[0]))
    elif kind == "struct":
        header.structs += structs_of(below.get_canonical().get_declaration(), name)
    elif kind == "enum":
        header.enums.append(enum_of(below.get_canonical().get_declaration(), name))


def headers(folder):
    """The public headers in the order of reading.

    Raises
    ------
    Unavailable
        libclang is not there.
    """
    if cindex is None:
        raise Unavailable("Python's clang module (Debian's python3-clang) is not installed")
    there = {path.stem for path in folder.glob("*.h")} - {"xpugraph"}
    if there != set(ORDER):
        raise SystemExit(f"ORDER in {Path(__file__).name} and {folder.name}/ differ: "
                         f"{sorted(there ^ set(ORDER))}")
    seen, described = set(), []
    for name in ORDER:
        header = header_of(folder / f"{name}.h")
        # A handle may be declared twice, so that a header need not include another.
        header.handles = [h for h in header.handles if h.name not in seen]
        seen.update(h.name for h in header.handles)
        described.append(header)
    return described
