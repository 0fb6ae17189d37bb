"""bin/package: the release of a checkout."""

import io
import re
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import pages
from support import CHECKOUT, LONG

from eyewall_cli.session import Session

sys.path.insert(0, str(CHECKOUT / "packaging"))

import reproduce  # noqa: E402  (found only through the path above)


class DifferencesTest(unittest.TestCase):
    """How two archives are compared."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="eyewall-package-")
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.one = self.archive("one", {"a": b"1", "lib/x.jar": self.jar({"A.class": b"a", "B.class": b"b"})})

    def archive(self, name, files, mode=0o644, mtime=0):
        """Packs files in their order."""
        path = self.directory / f"{name}.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for file, content in files.items():
                member = tarfile.TarInfo(file)
                member.size, member.mode, member.mtime = len(content), mode, mtime
                archive.addfile(member, io.BytesIO(content))
        return path

    @staticmethod
    def jar(entries, year=2026):
        """A jar with entries in their order."""
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as jar:
            for name, text in entries.items():
                jar.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), text)
        return content.getvalue()

    def assert_differs(self, other, *expected):
        """Each difference has such a beginning, in this order."""
        found = reproduce.differences(self.one, other)
        self.assertEqual(len(expected), len(found), found)
        for beginning, difference in zip(expected, found):
            self.assertTrue(difference.startswith(beginning), difference)

    def test_should_find_none_in_the_same_bytes(self):
        copy = self.directory / "copy.tar.gz"
        copy.write_bytes(self.one.read_bytes())
        self.assertEqual([], reproduce.differences(self.one, copy))

    def test_should_name_files_that_differ_in_content_time_or_mode(self):
        jar = self.jar({"A.class": b"a", "B.class": b"b"})
        self.assert_differs(self.archive("two", {"a": b"2", "lib/x.jar": jar}), "a: other bytes")
        self.assert_differs(self.archive("two", {"a": b"1", "lib/x.jar": jar}, mtime=1), "a: (", "lib/x.jar: (")
        self.assert_differs(self.archive("two", {"a": b"1", "lib/x.jar": jar}, mode=0o600), "a: (", "lib/x.jar: (")
        self.assert_differs(self.archive("two", {"b": b"1", "lib/x.jar": jar}), "a: only in one of them", "b: only in one of them")

    def test_should_look_into_jars(self):
        def with_jar(entries, **options):
            return self.archive("two", {"a": b"1", "lib/x.jar": self.jar(entries, **options)})
        self.assert_differs(with_jar({"A.class": b"a", "B.class": b"c"}), "lib/x.jar!B.class: other bytes")
        self.assert_differs(with_jar({"B.class": b"b", "A.class": b"a"}), "lib/x.jar: the order of the entries")
        self.assert_differs(with_jar({"A.class": b"a", "B.class": b"b"}, year=2027), "lib/x.jar!A.class: (", "lib/x.jar!B.class: (")

    def test_should_see_another_order_of_files_and_another_compression(self):
        jar = self.jar({"A.class": b"a", "B.class": b"b"})
        self.assert_differs(self.archive("two", {"lib/x.jar": jar, "a": b"1"}), "the order of the files")
        self.assert_differs(self.archive("named", {"a": b"1", "lib/x.jar": jar}), "the compression")


class BuiltArchiveTest(unittest.TestCase):
    """What the build leaves beside the installation."""

    def setUp(self):
        home = Session(CHECKOUT).home
        self.archive = home.parent / f"{home.name}.tar.gz"
        if not self.archive.is_file():
            self.skipTest(f"nothing is built: {self.archive} is missing. `bin/test` builds it first.")

    def test_should_have_a_checksum_that_the_usual_command_checks(self):
        checked = subprocess.run(["sha512sum", "-c", f"{self.archive.name}.sha512"], cwd=self.archive.parent, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        self.assertEqual((0, f"{self.archive.name}: OK\n"), (checked.returncode, checked.stdout))

    if LONG:
        def test_should_have_the_same_bytes_when_it_is_woven_and_packed_again(self):
            again = subprocess.run([sys.executable, str(CHECKOUT / "bin" / "package"), "reproduce", "--quick"], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, encoding="utf-8", check=False)
            self.assertEqual((0, f"{self.archive.name}: a second build has the same bytes\n"), (again.returncode, again.stdout))

    def test_should_have_one_time_for_all_that_is_in_its_own_jars(self):
        own = re.compile(r"[^/]+/lib[^/]*/[^/]+-" + re.escape(VersionTest.version) + r"\.jar")
        with tarfile.open(self.archive) as archive:
            jars = {member.name: archive.extractfile(member).read() for member in archive if own.fullmatch(member.name)}
        self.assertGreater(len(jars), 8)
        times = {entry.date_time for jar in jars.values() for entry in zipfile.ZipFile(io.BytesIO(jar)).infolist()}
        self.assertEqual({(2026, 1, 1, 0, 0, 0)}, times, f"not project.build.outputTimestamp, in one of {sorted(jars)}")

    def test_should_show_neither_who_built_it_nor_when(self):
        with tarfile.open(self.archive) as archive:
            members = archive.getmembers()
        self.assertGreater(len(members), 200)
        owners = {(member.uid, member.gid, member.uname, member.gname) for member in members}
        self.assertEqual({(0, 0, "root", "root")}, owners)
        self.assertEqual(1, len({member.mtime for member in members}))
        executable = [member.name.partition("/")[2] for member in members if member.isfile() and stat.S_IMODE(member.mode) == 0o755]
        self.assertEqual(["bin/container", "bin/flight.bash", "bin/storm"], sorted(executable))
        modes = {(member.isdir(), stat.S_IMODE(member.mode)) for member in members}
        self.assertEqual({(True, 0o755), (False, 0o755), (False, 0o644)}, modes)


class VersionTest(unittest.TestCase):
    """The version, which the root's pom.xml declares, and all that repeats it."""

    version = re.search(r"<revision>([^<]+)</revision>", (CHECKOUT / "pom.xml").read_text("utf-8"))[1]

    def test_should_head_the_newest_section_of_the_changelog(self):
        headings = re.findall(r"^## (.+)$", (CHECKOUT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
        self.assertEqual(self.version, headings[0].split()[0])

    def test_should_be_that_of_every_module_and_of_every_archive_in_the_documents(self):
        own = re.compile(r"<groupId>io\.eyewall</groupId>\s*<artifactId>(?:eyewall|integration-peers|integration-upstream)</artifactId>\s*"
                         r"<version>([^<]+)</version>")
        poms = [pom for pom in CHECKOUT.rglob("pom.xml") if "target" not in pom.relative_to(CHECKOUT).parts]
        self.assertGreater(len(poms), 10)
        others = [f"{pom.relative_to(CHECKOUT)}: {version}" for pom in poms for version in own.findall(pom.read_text("utf-8"))
                  if not version.startswith("${") and version != self.version]
        others += [f"{page.relative_to(CHECKOUT)}: {name}" for page in pages.pages() if CHECKOUT / "docs" in page.parents
                   for name, version in re.findall(r"(eyewall(?:-examples)?[-_](\d+(?:\.\d+)+))", page.read_text("utf-8"))
                   if version != self.version]
        self.assertEqual([], others)

    def test_should_be_printed_below_that_of_storm(self):
        home = Session(CHECKOUT).home
        if not (home / "lib").is_dir():
            self.skipTest(f"nothing is built: {home} is missing. `bin/test` builds it first.")
        printed = subprocess.run([home / "bin" / "storm", "version"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        self.assertRegex(printed, r"(?ms)^Storm 2\.8\.3$.*^Eyewall " + re.escape(self.version) + "$")


class CommandTest(unittest.TestCase):
    """bin/package itself."""

    def test_should_say_what_to_do_when_the_command_is_unknown(self):
        refused = subprocess.run([sys.executable, str(CHECKOUT / "bin" / "package"), "rpm"], stderr=subprocess.PIPE, encoding="utf-8",
                                 check=False)
        self.assertEqual((1, "bin/package: which command? See bin/package --help.\n"), (refused.returncode, refused.stderr))


if __name__ == "__main__":
    unittest.main()
