"""Takes the arguments of bin/storm apart and writes its help."""

import argparse
import difflib

from .declaration import DEBUG, GLOBAL_OPTIONS, OVERRIDES
from .errors import UsageError

HELP = ("-h", "--help")


class HelpRequest(Exception):
    """The user wants help: the text is the exception's argument."""


class _Parser(argparse.ArgumentParser):
    """argparse, but an error is one line and not the end of the process."""

    def error(self, message):
        raise UsageError(f"{self.prog.split(' ', 1)[1]}: {message}. `{self.prog} --help` shows how it is used.")


def parse(arguments, commands):
    """Returns the chosen command and its arguments as a namespace; in it `command` holds the words that chose it."""
    return _choose(list(arguments), [], commands, ["storm"])


def _choose(arguments, leading, commands, words):
    """Takes global options and then the name of a command; goes on with the command's children if it has any."""
    while arguments and arguments[0].startswith("-"):
        arguments[0] = _spelled_out(arguments[0], GLOBAL_OPTIONS)
        if arguments[0] in HELP:
            raise HelpRequest(overview(commands, words))
        option = _option(arguments[0], GLOBAL_OPTIONS)
        if option is None:
            raise UsageError(f"unknown option {arguments[0]} before the command. `{' '.join(words)} --help` shows the commands.")
        length = _length(arguments, option)
        leading = leading + arguments[:length]
        arguments = arguments[length:]
    if not arguments:
        raise UsageError(f"a command is missing after `{' '.join(words)}`. `{' '.join(words)} --help` shows the commands.")
    name, rest = arguments[0], arguments[1:]
    if name == "help" and len(words) == 1:
        raise HelpRequest(_help_on(rest, commands, words))
    command = _find(name, commands, words)
    words = words + [name]
    if command.children:
        return _choose(rest, leading, command.children, words)
    namespace = _parse_command(command, leading + rest, words)
    namespace.command = words[1:]
    return command, namespace


def _find(name, commands, words):
    for command in commands:
        if command.name == name:
            return command
    near = difflib.get_close_matches(name, [command.name for command in commands], 1)
    hint = f"Did you mean `{near[0]}`? " if near else ""
    raise UsageError(f"unknown command `{' '.join(words[1:] + [name])}`. {hint}`{' '.join(words)} --help` shows them all.")


def _help_on(names, commands, words):
    if not names:
        return overview(commands, words)
    command = _find(names[0], commands, words)
    if command.children:
        return _help_on(names[1:], command.children, words + [command.name])
    return _parser(command, words + [command.name]).format_help()


def _parse_command(command, arguments, words):
    parser = _parser(command, words)
    options = command.options + command.global_options
    if command.user_arguments is None:
        own, of_user = _all_spelled_out(arguments, options), []
    else:
        own, of_user = _split(arguments, options, len(command.positionals))
    if any(argument in HELP for argument in _before_separator(own)):
        raise HelpRequest(parser.format_help())
    namespace = parser.parse_intermixed_args(own)
    if command.user_arguments is not None:
        setattr(namespace, command.user_arguments, of_user)
    return namespace


def _before_separator(arguments):
    return arguments[:arguments.index("--")] if "--" in arguments else arguments


def _split(arguments, options, positionals):
    """Divides arguments between a command and the user's program that it runs.

    The command's options count wherever they stand, as in upstream; anything else behind the positionals is the user's, and so is all
    behind `--`. Options that many programs have (--debug, --help) and abbreviations count only before the last positional.
    """
    own, of_user, seen = [], [], 0
    while arguments:
        if arguments[0] == "--":
            return own, of_user + arguments[1:]
        if seen < positionals:
            arguments[0] = _spelled_out(arguments[0], options)
        option = _option(arguments[0], options)
        asks_for_help = positionals == 0 and not of_user and arguments[0] in HELP
        if seen == positionals and (option is None or option is DEBUG) and not asks_for_help:
            of_user.append(arguments.pop(0))
            continue
        length = 1 if option is None else _length(arguments, option)
        if not arguments[0].startswith("-"):
            seen += 1
        own += arguments[:length]
        arguments = arguments[length:]
    return own, of_user


def _all_spelled_out(arguments, options):
    """The arguments with the full names of abbreviated options; all behind `--` stays as it is."""
    end = len(_before_separator(arguments))
    return [_spelled_out(argument, options) for argument in arguments[:end]] + arguments[end:]


def _spelled_out(argument, options):
    """The argument with an option's full name where it abbreviates one that no other option begins like, as argparse takes it."""
    name, equals, value = argument.partition("=")
    names = [names for names in [option.names for option in options] + [HELP] if any(known.startswith(name) for known in names)]
    if len(name) < 3 or not name.startswith("--") or not names or any(name in known for known in names):
        return argument
    full = [next(known for known in each if known.startswith(name)) for each in names]
    if len(full) > 1:
        raise UsageError(f"{name} could be {' or '.join(full)}. Write it out.")
    return full[0] + equals + value


def _option(argument, options):
    name = argument.split("=", 1)[0] if argument.startswith("--") else argument
    for option in options:
        if name in option.names:
            return option
    return None


def _length(arguments, option):
    """How many arguments an option takes up, its own name included."""
    if option.kind == "flag" or (arguments[0].startswith("--") and "=" in arguments[0]):
        return 1
    if len(arguments) < 2:
        raise UsageError(f"{arguments[0]} needs a value: {arguments[0]} {option.metavar}.")
    return 2


def _parser(command, words):
    parser = _Parser(prog=" ".join(words), description=command.description or command.summary + ".", add_help=False, allow_abbrev=False,
                     formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=32, width=110))
    for positional in command.positionals:
        parser.add_argument(positional.dest, metavar=positional.name, nargs=positional.count, help=positional.help)
    if command.user_arguments is not None:
        parser.usage = " ".join([*words, "[option ...]", *(positional.name for positional in command.positionals), "[argument ...]"])
    for option in command.options + command.global_options:
        _add(parser, option)
    parser.add_argument(*HELP, action="store_true", help="show this text")
    return parser


def _add(parser, option):
    names = sorted(option.names, key=len)
    if option is OVERRIDES:
        # Upstream's long spelling works, but nobody needs to read of it.
        parser.add_argument("-storm_config_opts", dest="c", action="append", default=[], help=argparse.SUPPRESS)
        names = ["-c"]
    if option.kind == "flag":
        parser.add_argument(*names, dest=option.dest, action="store_true", help=option.help)
    else:
        action = "append" if option.kind == "list" else "store"
        default = [] if option.kind == "list" else option.default
        parser.add_argument(*names, dest=option.dest, action=action, default=default, type=option.type, metavar=option.metavar,
                            help=option.help)


def overview(commands, words):
    """The commands by group, one on a line."""
    width = max(len(command.name) for command in commands) + 2
    lines = [f"usage: {' '.join(words)} [--config FILE] [-c KEY=VALUE] [--debug] COMMAND [argument ...]"]
    for group in dict.fromkeys(command.group for command in commands):
        lines += ["", group + ":"]
        lines += [f"  {command.name:<{width}}{command.summary}" for command in commands if command.group == group]
    lines += ["", f"`{words[0]} help {' '.join(words[1:] + ['COMMAND'])}` shows how one is used.", ""]
    return "\n".join(lines)
