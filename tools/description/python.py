# SPDX-License-Identifier: Apache-2.0
"""Writes the raw Python layer: a ctypes module for each header, and one that lists them."""
import textwrap

NUMBERS = {
    "char": "c_char", "int8": "c_int8", "uint8": "c_uint8", "int16": "c_int16",
    "uint16": "c_uint16", "int32": "c_int32", "uint32": "c_uint32", "int64": "c_int64",
    "uint64": "c_uint64", "size": "c_size_t", "float": "c_float", "double": "c_double",
}
FOLDER = "bindings/python/xpugraph/_raw"


def wrapped(text, indent="", width=99):
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent,
                         break_on_hyphens=False, break_long_words=False)


def ctype(type_):
    """A C type as ctypes spells it; an enum is an int."""
    if type_.kind == "pointer":
        below = type_.of
        if below.kind == "void":
            return "c.c_void_p"
        if below.kind == "char":
            return "c.c_char_p" if below.const else "c.POINTER(c.c_char)"
        return f"c.POINTER({ctype(below)})"
    if type_.kind == "array":
        return f"{ctype(type_.of)} * {type_.count}"
    if type_.kind == "enum":
        return "c.c_int"
    if type_.kind in ("handle", "struct", "callback"):
        return type_.name
    return "c." + NUMBERS[type_.kind]


def names_in(type_):
    """The types of the headers that a type names."""
    if type_ is None:
        return set()
    own = {type_.name} if type_.kind in ("handle", "struct", "callback") else set()
    return own | names_in(type_.of)


def docstring(text, indent="    "):
    body = wrapped(text, indent)
    return f'{indent}"""{body[len(indent):]}\n{indent}"""' if "\n" in body \
        else f'{indent}"""{body[len(indent):]}"""'


def enum(described):
    lines = [f"class {described.type}(IntEnum):"]
    lines.append(docstring(described.doc.text or described.name))
    for value in described.values:
        comment = f"  # {value.doc}" if value.doc else ""
        line = f"    {value.name} = {value.value}{comment}"
        if len(line) > 99:
            lines.append(wrapped(f"{value.doc}", "    # "))
            line = f"    {value.name} = {value.value}"
        lines.append(line)
    return "\n".join(lines)


def struct(described):
    base = "c.Union" if described.union else "c.Structure"
    text = described.doc.text or "What a struct has for each of its kinds."
    lines = [f"class {described.name}({base}):", docstring(text), ""]
    if described.anonymous:
        names = ", ".join(f'"{name}"' for name in described.anonymous)
        lines.append(f"    _anonymous_ = ({names},)")
    lines.append("    _fields_ = [")
    for member in described.members:
        line = f'        ("{member.name}", {ctype(member.type)}),'
        if member.doc and len(line) + len(member.doc) + 4 <= 99:
            line += f"  # {member.doc}"
        elif member.doc:
            lines.append(wrapped(member.doc, "        # "))
        lines.append(line)
    return "\n".join(lines + ["    ]"])


def layout(described):
    """What the compiler says about a struct, for a test to compare with what ctypes does."""
    offsets = ", ".join(str(m.offset) for m in described.members)
    return wrapped(f'    "{described.name}": ({described.size}, [{offsets}]),')


def function(described):
    doc = [described.doc.text]
    doc += [f"{p.name} [{p.direction}]: {p.doc}" for p in described.params if p.doc]
    doc += [f"Returns {described.doc.returns}"] if described.doc.returns else []
    doc += [described.doc.errors] if described.doc.errors else []
    doc += [f"Since {described.doc.since}."]
    lines = [wrapped(paragraph, "# ") for paragraph in doc if paragraph]
    lines.append(f'{described.name} = Function("{described.name}", {ctype(described.returns)}, [')
    for param in described.params:
        facts = [f'"{param.name}"', ctype(param.type)]
        if param.direction != "in":
            facts.append(f'"{param.direction}"')
        if param.length:
            facts.append(f'length="{param.length}"')
        if param.nullable:
            facts.append("nullable=True")
        lines.append(f"    Param({', '.join(facts)}),")
    return "\n".join(lines + ["])"])


def imports(header, home):
    wanted = set()
    for described in header.functions:
        for param in described.params:
            wanted |= names_in(param.type)
    for described in header.callbacks:
        for type_ in described.params:
            wanted |= names_in(type_)
    for described in header.structs:
        for member in described.members:
            wanted |= names_in(member.type)
    by_header = {}
    for name in wanted:
        if home[name] != header.name:
            by_header.setdefault(home[name], []).append(name)
    return [wrapped_import(f"xpugraph._raw.{there}", sorted(names))
            for there, names in sorted(by_header.items())]


def wrapped_import(module, names):
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 99:
        return line
    return f"from {module} import (\n" + wrapped(", ".join(names), "    ") + ")"


def module(header, home):
    purpose = header.purpose.splitlines()[0]
    parts = [f'# SPDX-License-Identifier: Apache-2.0\n"""xpugraph/{header.name}.h for ctypes. '
             'Written by tools/gen: edit the header instead.\n\n' + wrapped(purpose) + '\n"""']
    top = ["import ctypes as c"]
    top += ["from enum import IntEnum"] if header.enums else []
    own = imports(header, home)
    if header.functions:
        own = ["from xpugraph._function import Function, Param"] + own
    parts.append("\n".join(top) + ("\n\n" + "\n".join(own) if own else ""))
    flat = [f"{v.name} = {hex(v.value) if v.value > 9999 else v.value}"
            + (f"  # {v.doc}" if 0 < len(v.doc) < 70 else "") for v in header.constants]
    blocks = ["\n".join(flat)] if flat else []
    for described in header.handles:
        text = described.doc.text or "A handle: a word that the library gives and checks."
        blocks.append(f"class {described.name}(c.c_void_p):\n" + docstring(text))
    for described in header.callbacks:
        args = "".join(", " + ctype(t) for t in described.params)
        returns = "None" if described.returns.kind == "void" else ctype(described.returns)
        blocks.append(wrapped(described.doc.text, "# ") + "\n"
                      f"{described.name} = c.CFUNCTYPE({returns}{args})")
    blocks += [enum(e) for e in header.enums] + [struct(s) for s in header.structs]
    if header.structs:
        blocks.append("LAYOUT = {\n" + "\n".join(map(layout, header.structs)) + "\n}")
    text = "\n\n\n".join(["\n\n".join(parts)] + blocks)
    if header.functions:
        text += "\n\n\n" + "\n\n".join(map(function, header.functions))
    return text.rstrip() + "\n"


def files(headers):
    """{path: text} of the layer."""
    home = {}
    for header in headers:
        for described in header.handles + header.callbacks + header.structs:
            home.setdefault(described.name, header.name)
    written = {f"{FOLDER}/{h.name}.py": module(h, home) for h in headers}
    names = ", ".join(sorted(h.name for h in headers))
    listing = ["# SPDX-License-Identifier: Apache-2.0",
               '"""The C library as it is: exact names, no judgement. Written by tools/gen."""',
               f"from xpugraph._raw import (\n{wrapped(names, '    ')})"]
    listing += [f"from xpugraph._raw.{h.name} import *  # noqa: F401,F403"
                for h in sorted(headers, key=lambda h: h.name)]
    listing += ["", f"HEADERS = (\n{wrapped(', '.join(h.name for h in headers), '    ')})"]
    written[f"{FOLDER}/__init__.py"] = "\n".join(listing) + "\n"
    return written
