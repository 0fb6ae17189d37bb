"""The reference page of the command line, made from what the commands declare."""

from .declaration import CONFIG, DEBUG, GLOBAL_OPTIONS, OVERRIDES
from .main import COMMANDS

INTRODUCTION = """# Command line

Every `storm` command of Eyewall. The names, options and exit codes are upstream's; `demo`, `dev-cluster`, `bench`, `doctor`, `scale`, `slo`,
`drain`, `state`, `latency`, `back-pressure`, `latency-plot` and `profile` are new. This page is made from the code: `bin/docs generate`
writes it. `storm help COMMAND` shows the same text.

In an installation `storm` is `bin/storm` of its directory. A checkout has the same `bin/storm`, which uses what the build has made.

Exit codes: 0 if all went well, 1 if the command failed, 2 if the command line is wrong, 130 after Ctrl-C. An error is one line on standard
error; `--debug` adds the stack trace.

## Options of every command

| option | what it does |
|---|---|
"""
EVERYWHERE = """
A command's own options and these may stand in any order. Where a command takes other options than these, its section says so. The variable
`STORM_CONF_FILE` in the environment does what `--config` does.
"""


def page():
    """The page as Markdown."""
    parts = [INTRODUCTION]
    parts += [_row(option) for option in GLOBAL_OPTIONS]
    parts.append(EVERYWHERE)
    for group in dict.fromkeys(command.group for command in COMMANDS):
        parts.append(f"\n## {group}\n")
        for command in COMMANDS:
            if command.group == group:
                parts += _command(command, ["storm", command.name])
    return "".join(parts)


def _command(command, words):
    yield f"\n### {' '.join(words)}\n\n{_sentence(command)}\n"
    if command.children:
        for child in command.children:
            yield from _child(child, words + [child.name])
        return
    yield from _usage(command, words)


def _child(command, words):
    yield f"\n#### {' '.join(words)}\n\n{_sentence(command)}\n"
    yield from _usage(command, words)


def _sentence(command):
    """What the command does. Lines of a description that are indented are shown as they are."""
    lines = (command.description or command.summary + ".").split("\n")
    text, shown = [], []
    for line in lines:
        if line.startswith("  "):
            shown.append(line[2:])
        elif shown:
            text += _block(shown) + [line]
            shown = []
        else:
            text.append(line)
    return "\n".join(text + _block(shown)).replace("<", "&lt;")


def _block(lines):
    return ["", "```text", *lines, "```", ""] if lines else []


def _usage(command, words):
    positionals = [_shown(positional) for positional in command.positionals]
    more = ["[argument ...]"] if command.user_arguments is not None else []
    options = ["[option ...]"] if command.options else []
    yield "\n```text\n" + " ".join([*words, *options, *positionals, *more]) + "\n```\n"
    rows = [f"| `{positional.name}` | {_cell(positional.help)} |\n" for positional in command.positionals if positional.help]
    rows += [_row(option) for option in command.options]
    if rows:
        yield "\n| argument | meaning |\n|---|---|\n" + "".join(rows)
    missing = [option for option in (CONFIG, OVERRIDES, DEBUG) if option not in command.global_options]
    if missing:
        yield "\nTakes no " + " and no ".join(f"`{_name(option)}`" for option in missing) + ".\n"


def _shown(positional):
    repeated = {"+": "{0} ...", "*": "[{0} ...]", "?": "[{0}]"}
    return repeated.get(positional.count, "{0}").format(positional.name)


def _name(option):
    return "-c" if option is OVERRIDES else max(option.names, key=len)


def _row(option):
    names = ["-c"] if option is OVERRIDES else sorted(option.names, key=len)
    value = "" if option.kind == "flag" else " " + option.metavar
    return f"| {', '.join(f'`{name}{value}`' for name in names)} | {_cell(option.help)} |\n"


def _cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")
