"""Whether another build of the same source gives the same archive, byte by byte."""

import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

# What must not show in the archive: where, when, by whom and under which settings it is built.
CIRCUMSTANCES = {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "MAVEN_OPTS": "-Duser.language=de -Duser.country=CH -Duser.name=another"}
UMASK = 0o002
MODULES = "storm-core/distribution"
COMMAND = ["mvn", "-B", "-o", "-ntp", "-q", "package", "-DskipTests", "-Dcheckstyle.skip", "-pl", MODULES, "-am"]
# Class files that are newer than their sources are taken as they are.
QUICKLY = ["-Dmaven.compiler.useIncrementalCompilation=false"]
COMPILED = ("classes", "test-classes")
MAX_SHOWN = 40


class BuildFailure(Exception):
    """The second build gave no archive."""


def archive_of(root):
    """The archive that a build leaves in a checkout; None if there is not exactly one."""
    found = list((root / "storm-core" / "distribution" / "target").glob("eyewall-*.tar.gz"))
    return found[0] if len(found) == 1 else None


def build_again(root, directory, quick):
    """Builds a copy of the checkout in that directory, of what an earlier build has left at most the class files; returns its archive."""
    def left_out(path, names):
        kept = COMPILED if quick and Path(path).name == "target" else ()
        return [name for name in names if name in (".git", "__pycache__") or name == "target" and not quick
                or Path(path).name == "target" and name not in kept]

    copy = Path(directory, "a copy")
    shutil.copytree(root, copy, symlinks=True, ignore=left_out)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            # As a checkout under that mask has it.
            path.chmod(path.stat().st_mode | 0o020)
    process = subprocess.run(COMMAND + (QUICKLY if quick else []), cwd=copy, env={**os.environ, **CIRCUMSTANCES},
                             preexec_fn=lambda: os.umask(UMASK), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    archive = archive_of(copy)
    if process.returncode != 0 or archive is None:
        raise BuildFailure(f"the second build failed. Maven says:\n{process.stdout}")
    return archive


def differences(one, other):
    """What is different in two archives, and in the jars in them; empty if they are the same, byte by byte."""
    if _digest(one) == _digest(other):
        return []
    with tarfile.open(one) as first, tarfile.open(other) as second:
        found = _compare("", {member.name: member for member in first}, {member.name: member for member in second},
                         lambda member: (member.mode, member.uid, member.gid, member.uname, member.gname, member.mtime, member.size,
                                         member.linkname), lambda member, mine: _content(first if mine else second, member))
        order = [member.name for member in first] == [member.name for member in second]
    return found or ["the compression: every file is the same" if order else "the order of the files"]


def _compare(prefix, first, second, attributes, content):
    """The differences of two sets of entries, by name; `content` reads an entry of the first one, or the second."""
    found = [f"{prefix}{name}: only in one of them" for name in sorted(first.keys() ^ second.keys())]
    for name in (name for name in first if name in second):
        mine, others = attributes(first[name]), attributes(second[name])
        if mine != others:
            found.append(f"{prefix}{name}: {mine} and {others}")
        one, other = content(first[name], True), content(second[name], False)
        if one != other:
            found += _in_jar(f"{prefix}{name}", one, other) if name.endswith(".jar") else [f"{prefix}{name}: other bytes"]
    return found


def _in_jar(name, one, other):
    with zipfile.ZipFile(io.BytesIO(one)) as first, zipfile.ZipFile(io.BytesIO(other)) as second:
        found = _compare(f"{name}!", {entry.filename: entry for entry in first.infolist()},
                         {entry.filename: entry for entry in second.infolist()},
                         lambda entry: (entry.date_time, entry.external_attr, entry.extra, entry.comment, entry.compress_type),
                         lambda entry, mine: (first if mine else second).read(entry))
        return found or [f"{name}: {'the compression' if first.namelist() == second.namelist() else 'the order of the entries'}"]


def _content(archive, member):
    return archive.extractfile(member).read() if member.isfile() else b""


def _digest(path):
    digest = hashlib.sha512()
    with open(path, "rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def run(root, quick=False):
    """Compares what is built with a second build, a `quick` one compiles nothing; returns the exit code."""
    archive = archive_of(root)
    if archive is None:
        raise BuildFailure("nothing to compare with. Build the distribution first: mvn package -DskipTests")
    with tempfile.TemporaryDirectory(prefix="eyewall-reproduce-") as directory:
        found = differences(archive, build_again(root, directory, quick))
    for difference in found[:MAX_SHOWN]:
        print(difference)
    print(f"{archive.name}: " + (f"{len(found)} differences between two builds" if found else "a second build has the same bytes"))
    return 1 if found else 0
