"""The Markdown pages of the checkout: their links, anchors and fenced blocks."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Optional
from urllib.parse import unquote

from support import CHECKOUT

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
HEADING = re.compile(r"^(#{1,6}) +(.+?) *#*$")
# A link or picture: its text may hold code and one pair of brackets, its target no blank.
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")
CODE = re.compile(r"(`+)(?:(?!\1).)+?\1", re.DOTALL)
NOT_RUN = "Not run by the tests:"


@dataclass(frozen=True)
class Block:
    """A fenced block: the first word behind the fence, the title behind it, the lines, and why it is not run if it says so."""

    page: Path
    line: int
    language: str
    title: Optional[str]
    lines: tuple
    not_run: Optional[str]

    @property
    def text(self):
        """The lines as a file holds them."""
        return "\n".join(self.lines) + "\n"

    def __str__(self):
        return f"{self.page.relative_to(CHECKOUT)}:{self.line}"


def pages():
    """Every Markdown file of the checkout; nothing of what a build leaves in it."""
    for directory, subdirectories, files in os.walk(CHECKOUT):
        subdirectories[:] = sorted(name for name in subdirectories if name not in ("target", "src") and not name.startswith("."))
        yield from (Path(directory) / name for name in sorted(files) if name.endswith(".md"))


def blocks(page):
    """The fenced blocks of a page."""
    lines = page.read_text("utf-8").split("\n")
    position = 0
    while position < len(lines):
        fence = FENCE.match(lines[position])
        if fence is None:
            position += 1
            continue
        end = next((end for end in range(position + 1, len(lines)) if lines[end].strip() == fence.group(2)), None)
        if end is None:
            raise AssertionError(f"{page}:{position + 1}: the block has no end")
        words = fence.group(3).split(maxsplit=1)
        title = re.search(r'title="([^"]*)"', fence.group(3))
        yield Block(page, position + 1, words[0] if words else "", title and title.group(1),
                    tuple(line[len(fence.group(1)):] for line in lines[position + 1:end]), _reason(lines[:position]))
        position = end + 1


def _reason(lines_before):
    """Why a block is not run: the paragraph before it says so."""
    paragraph = "\n".join(lines_before).rstrip().split("\n\n")[-1]
    return " ".join(paragraph.split(NOT_RUN, 1)[1].removesuffix("-->").split()) if NOT_RUN in paragraph else None


def prose(page):
    """The page without its fenced blocks, line by line."""
    text = page.read_text("utf-8").split("\n")
    for block in blocks(page):
        for position in range(block.line - 1, block.line + len(block.lines) + 1):
            text[position] = ""
    return text


def links(page):
    """The targets of all links and pictures of a page, code left out."""
    text = CODE.sub(lambda code: re.sub(r"[^\n]", "x", code.group()), "\n".join(prose(page)))
    return [unquote(link.group(1)) for link in LINK.finditer(text)]


def anchors(page):
    """The anchors of a page's headings, as Git forges and the site make them."""
    found = set()
    for line in prose(page):
        heading = HEADING.match(line)
        if heading:
            words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(2)).replace("`", "")
            anchor = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
            number = 1
            unique = anchor
            while unique in found:
                unique = f"{anchor}-{number}"
                number += 1
            found.add(unique)
    return found
