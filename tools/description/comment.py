# SPDX-License-Identifier: Apache-2.0
"""Takes a Doxygen comment apart: prose, parameters with direction and length, errors, release."""
import re

from description.model import Doc

PARAM = re.compile(r"@param\[(in|out|in,out)\]\s+(\w+)\s+")
RELEASE = re.compile(r"\s*Since (\d+\.\d+)\.\s*$")
ERRORS = re.compile(r"(?:^|(?<=\s))Errors(?: of all)?(?:, [^:]{1,60})?: ")
LENGTH = re.compile(r"\blen = (\*?\w+|the kernel's number of parameters)")


def plain(raw):
    """The words of a comment on one line, without its marks."""
    lines = [re.sub(r"^\s*///?<?\s?", "", line) for line in (raw or "").splitlines()]
    return " ".join(" ".join(lines).split())


def take_apart(raw):
    """(Doc, {parameter: (direction, text)}) of the comment of a function, struct or enum."""
    text, doc, params = plain(raw), Doc(), {}
    since = RELEASE.search(text)
    if since:
        doc.since, text = since.group(1), text[:since.start()]
    errors = ERRORS.search(text)
    if errors:
        doc.errors, text = text[errors.start():].strip(), text[:errors.start()]
    text, _, doc.returns = (part.strip() for part in text.partition("@return "))
    pieces = PARAM.split(text)
    doc.text = pieces[0].strip()
    for direction, name, said in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
        params[name] = (direction, said.strip())
    return doc, params


def length_of(said):
    """What a comment says about the length of an array, "" if it says nothing."""
    match = LENGTH.search(said)
    if not match:
        return ""
    return match.group(1) if "'" not in match.group(1) else "numParams"


def may_be_null(said):
    return "may be NULL" in said or "May be NULL" in said
