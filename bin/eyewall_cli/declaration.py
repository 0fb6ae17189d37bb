"""What a sub-command is: data only, read by command_line."""

from argparse import ArgumentTypeError
from dataclasses import dataclass
from typing import Any, Callable, Optional, Tuple


@dataclass(frozen=True)
class Option:
    """An option: `kind` is value, flag or list (a value that may be given several times)."""

    names: Tuple[str, ...]
    help: str
    kind: str = "value"
    type: Callable[[str], Any] = str
    metavar: str = "VALUE"
    default: Any = None
    # The name under which upstream's Java class takes it; None where Python uses it up.
    passed_as: Optional[str] = None

    @property
    def dest(self):
        """The attribute that holds the value: the last name."""
        return self.names[-1].lstrip("-").replace("-", "_")


@dataclass(frozen=True)
class Positional:
    """An argument without a name; `count` as argparse's nargs."""

    name: str
    help: str = ""
    count: Optional[str] = None

    @property
    def dest(self):
        """The attribute that holds the value."""
        return self.name.replace("-", "_")


CONFIG = Option(("--config",), "use this storm.yaml instead of the installation's", metavar="FILE")
OVERRIDES = Option(("-storm_config_opts", "-c"), "set a configuration value; may be repeated", kind="list", metavar="KEY=VALUE")
DEBUG = Option(("--debug",), "show the java command, all logging and stack traces", kind="flag")
GLOBAL_OPTIONS = (CONFIG, OVERRIDES, DEBUG)


@dataclass(frozen=True)
class Command:
    """A sub-command. With `user_arguments` everything after its positionals goes to the user's own program, except its options."""

    name: str
    group: str
    summary: str
    run: Optional[Callable] = None
    options: Tuple[Option, ...] = ()
    positionals: Tuple[Positional, ...] = ()
    description: str = ""
    user_arguments: Optional[str] = None
    children: Tuple["Command", ...] = ()
    global_options: Tuple[Option, ...] = GLOBAL_OPTIONS


def at_least(minimum, what):
    """A type for whole numbers that are not below the minimum."""

    def convert(text):
        try:
            number = int(text)
        except ValueError:
            number = minimum - 1
        if number < minimum:
            raise ArgumentTypeError(f"'{text}' is not a {what}")
        return number

    convert.__name__ = what
    return convert


non_negative = at_least(0, "whole number from 0")
positive = at_least(1, "whole number from 1")
