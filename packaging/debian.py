"""A Debian package of an installation that is built."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What users change is in /etc, where an upgrade keeps it; an installation finds it where it looks for it.
CONFIGURED = ("conf", "log4j2")
# Which comments of conf/storm.yaml become settings: the directories that the package makes.
SETTINGS = ("storm.local.dir", "storm.log.dir")
METRICS = """
# The figures that the UI shows of past hours.
storm.metricstore.rocksdb.location: "/var/lib/storm/storm_rocks"
"""
TOOL = "dpkg-deb"


class PackagingFailure(Exception):
    """There is no package, with the remedy."""


def build(home, timestamp):
    """Packs the installation in that directory, beside it; `timestamp` is that of all files, in seconds. Returns the package."""
    if not (home / "lib").is_dir():
        raise PackagingFailure(f"nothing to pack: {home / 'lib'} is missing. Build it first: mvn package -DskipTests")
    if shutil.which(TOOL) is None:
        raise PackagingFailure(f"no {TOOL} found. Build the package on Debian or Ubuntu.")
    version = home.name.partition("-")[2]
    package = home.parent / f"eyewall_{version}_all.deb"
    with tempfile.TemporaryDirectory(prefix="eyewall-deb-", dir=home.parent) as directory:
        root = Path(directory)
        root.chmod(0o755)
        _lay_out(root, home)
        _describe(root, version)
        _show_nothing_of_this_host(root, timestamp)
        subprocess.run([TOOL, "--root-owner-group", "-Zgzip", "--build", root, package], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "SOURCE_DATE_EPOCH": str(timestamp)})
    return package


def _lay_out(root, home):
    """The files of the package below its root."""
    installed = root / "usr" / "share" / "eyewall"
    shutil.copytree(home, installed, ignore=lambda path, names: CONFIGURED if Path(path) == home else ())
    configuration = root / "etc" / "storm"
    shutil.copytree(home / "log4j2", configuration / "log4j2")
    (configuration / "storm.yaml").write_text(settings((home / "conf" / "storm.yaml").read_text("utf-8")), "utf-8")
    (installed / "conf").symlink_to("/etc/storm")
    (installed / "log4j2").symlink_to("/etc/storm/log4j2")
    commands = root / "usr" / "bin"
    commands.mkdir()
    (commands / "storm").symlink_to("../share/eyewall/bin/storm")
    shutil.copytree(HERE / "systemd", root / "lib" / "systemd" / "system")
    documents = root / "usr" / "share" / "doc" / "eyewall"
    documents.mkdir(parents=True)
    shutil.copy(home / "NOTICE", documents / "copyright")


def settings(template):
    """conf/storm.yaml with the package's directories."""
    lines = template.splitlines()
    for key in SETTINGS:
        found = [position for position, line in enumerate(lines) if line.startswith(f"# {key}: ")]
        if len(found) != 1:
            raise PackagingFailure(f"conf/storm.yaml has no line `# {key}: ...`, or several. Write one for the package to take.")
        lines[found[0]] = lines[found[0]][2:]
    return "\n".join(lines) + "\n" + METRICS


def _describe(root, version):
    """What dpkg is told."""
    control = root / "DEBIAN"
    control.mkdir()
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    configuration = sorted(path.relative_to(root) for path in (root / "etc").rglob("*") if path.is_file())
    (control / "conffiles").write_text("".join(f"/{path}\n" for path in configuration), "utf-8")
    for source in (HERE / "debian").iterdir():
        text = source.read_text("utf-8").replace("@VERSION@", version).replace("@SIZE@", str(-(-size // 1024)))
        (control / source.name).write_text(text, "utf-8")
        (control / source.name).chmod(0o755 if text.startswith("#!") else 0o644)


def _show_nothing_of_this_host(root, timestamp):
    """Modes and times that do not depend on who builds, and when."""
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (timestamp, timestamp), follow_symlinks=False)
