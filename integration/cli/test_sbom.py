"""The bill of materials of the installation, and the known vulnerabilities of what is in it."""

import hashlib
import json
import re
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from support import CHECKOUT

from eyewall_cli.session import Session

sys.path.insert(0, str(CHECKOUT / "packaging"))

import sbom  # noqa: E402  (found only through the path above)
import vulnerabilities  # noqa: E402

NOTHING_NAMES = re.compile(r"Nothing outside `([^`]+)` names ((?:`[^`]+`(?: or )?)+)")


def built():
    """The installation that the build has left; skips the test without one."""
    home = Session(CHECKOUT).home
    if not (home / sbom.NAME).is_file():
        raise unittest.SkipTest(f"nothing is built: {home} is missing. `bin/test` builds it first.")
    return home


class BillTest(unittest.TestCase):
    """The bill of an installation of two jars, one of them twice."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="eyewall-sbom-")
        self.addCleanup(directory.cleanup)
        self.home = Path(directory.name, "home")
        self.repository = Path(directory.name, "repository")
        self.listing = Path(directory.name, "dependencies.txt")
        self.jar("lib/a-1.0.jar", {"META-INF/maven/g/a/pom.properties": "version=1.0\n",
                                   "META-INF/maven/inner/part/pom.properties": "#\nversion=3.2-jre\ngroupId=inner\n"})
        self.jar("lib-worker/a-1.0.jar", self.entries)
        self.jar("lib/b-2.0-worker.jar", {"B.class": ""})
        self.jar("lib/w-3.jar", {"META-INF/npm-packages.json": '{"@s/n@1.2": ["n.js"], "m@3": ["m.js"]}'})
        self.listing.write_text("\nThe following files have been resolved:\n"
                                f"   g.h:a:jar:1.0:compile:{self.repository}/g/h/a/1.0/a-1.0.jar -- module a (auto)\n"
                                f"   io.eyewall:b:jar:worker:2.0:provided:{directory.name}/b/target/b-2.0-worker.jar\n"
                                f"   io.eyewall:w:jar:3:compile:{directory.name}/w/target/w-3.jar\n"
                                f"   io.eyewall:p:pom:2.0:compile:{directory.name}/p/pom.xml\n", "utf-8")
        bundled = Path(directory.name, "b", "target", "b-2.0-worker.jar.bundled")
        bundled.parent.mkdir(parents=True)
        bundled.write_text("   \x1b[36morg.c:c:jar:4:compile\x1b[0m -- module c\n", "utf-8")
        self.pom("g/h/a/1.0/a-1.0.pom", "<parent><groupId>g</groupId><artifactId>parent</artifactId><version>7</version></parent>")
        self.pom("g/parent/7/parent-7.pom", "<licenses><license><name>MIT</name><url>https://mit</url></license></licenses>")

    def jar(self, name, entries):
        """Writes a jar into the installation."""
        self.entries = entries
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            for entry, text in entries.items():
                archive.writestr(zipfile.ZipInfo(entry), text)

    def pom(self, name, content):
        """Writes a POM into Maven's repository."""
        path = self.repository / name
        path.parent.mkdir(parents=True)
        path.write_text(f"<project xmlns=\"http://maven.apache.org/POM/4.0.0\">{content}</project>", "utf-8")

    def bill(self):
        """The bill's document."""
        return sbom.bill(self.home, "2.0", "2026-01-01T00:00:00Z", [self.listing])

    def test_should_list_each_jar_once_with_its_paths_its_licence_and_what_it_contains(self):
        first, second, third = self.bill()["components"]
        self.assertEqual(("g.h", "a", "1.0", "pkg:maven/g.h/a@1.0?type=jar"),
                         tuple(first[key] for key in ("group", "name", "version", "purl")))
        self.assertEqual(["lib-worker/a-1.0.jar", "lib/a-1.0.jar"], [place["location"] for place in first["evidence"]["occurrences"]])
        self.assertEqual(hashlib.sha512((self.home / "lib" / "a-1.0.jar").read_bytes()).hexdigest(), first["hashes"][0]["content"])
        self.assertEqual([{"license": {"name": "MIT", "url": "https://mit"}}], first["licenses"])
        self.assertEqual(["pkg:maven/inner/part@3.2-jre?type=jar"], [part["purl"] for part in first["components"]])
        self.assertEqual("pkg:maven/io.eyewall/b@2.0?classifier=worker&type=jar", second["purl"])
        self.assertEqual(["pkg:maven/org.c/c@4?type=jar"], [part["purl"] for part in second["components"]])
        self.assertEqual(["pkg:npm/m@3", "pkg:npm/%40s/n@1.2"], [part["purl"] for part in third["components"]])

    def test_should_list_what_native_libraries_were_taken_out_of(self):
        native = self.home / "external" / "a" / "linux-x64" / "a.so"
        native.parent.mkdir(parents=True)
        native.write_bytes(b"ELF")
        occurrences = [part["evidence"]["occurrences"] for part in self.bill()["components"] if part["name"] == "a"]
        self.assertIn([{"location": "external/a/linux-x64/a.so"}], occurrences)
        native.parent.parent.rename(self.home / "external" / "z")
        with self.assertRaisesRegex(SystemExit, "external/z/linux-x64/a.so is of no dependency that Maven lists"):
            self.bill()

    def test_should_be_the_same_for_the_same_installation_and_another_for_another(self):
        one = self.bill()
        self.assertEqual(one, self.bill())
        for place in ("lib", "lib-worker"):
            self.jar(f"{place}/a-1.0.jar", {"A.class": ""})
        self.assertNotEqual(one["serialNumber"], self.bill()["serialNumber"])

    def test_should_refuse_a_jar_that_nobody_knows_and_one_with_two_contents(self):
        self.jar("lib/a-1.0.jar", {"A.class": ""})
        with self.assertRaisesRegex(SystemExit, "a-1.0.jar has other bytes in each of lib-worker/a-1.0.jar, lib/a-1.0.jar"):
            self.bill()
        self.jar("extlib/x.jar", {})
        with self.assertRaisesRegex(SystemExit, "extlib/x.jar is no dependency that Maven lists. Add its module's listing"):
            self.bill()


class VulnerabilitiesTest(unittest.TestCase):
    """The check of known vulnerabilities."""

    found = {"g:a": {"4.2.7.Final": ["lib/a.jar"]}}

    def wrong(self, **changes):
        """What the check finds with one row."""
        row = {"id": "CVE-1", "library": "g:a", "from": "4.2.0.Final", "below": "4.2.8.Final", "closed": "", "source": "https://x"}
        row.update(changes)
        return vulnerabilities.findings([row], self.found)

    def test_should_fail_for_what_is_affected_unless_it_says_why_that_does_no_harm(self):
        found = self.wrong()
        self.assertEqual(1, len(found))
        self.assertRegex(found[0], r"csv:2: CVE-1 of g:a: is open: 4\.2\.7\.Final in lib/a\.jar\. Take version 4\.2\.8\.Final, or say in")
        self.assertRegex(self.wrong(below="")[0], "Do without it, or say")
        self.assertEqual([], self.wrong(closed="Nobody calls it"))
        for unaffected in ({"from": "4.2.8.Final"}, {"below": "4.2.7.Final"}):
            self.assertEqual([], self.wrong(**unaffected))

    def test_should_fail_for_lines_that_are_wrong_or_of_no_use_any_more(self):
        found = self.wrong(below="4.2.7.Final", closed="Nobody calls it")
        self.assertRegex(found[0], "no version of the installation is affected any more")
        self.assertRegex(self.wrong(library="g:b")[0], "the installation has no such library. Remove the line.")
        self.assertRegex(self.wrong(source="", closed="x")[0], "source is empty")

    def test_should_order_versions_as_their_authors_do(self):
        ascending = ["1.0-rc1", "1.0", "1.0.1", "1.9", "1.10-jre", "2.0-alpha-2", "2.0.Beta1", "2.0.Final", "2.0.1.Final", "33.5.0-jre"]
        self.assertEqual(ascending, sorted(reversed(ascending), key=vulnerabilities.order))
        self.assertEqual(vulnerabilities.order("1.0"), vulnerabilities.order("1.0.0.Final"))

    def test_should_look_into_jars(self):
        component = {"group": "g", "name": "a", "version": "1", "evidence": {"occurrences": [{"location": "lib/a.jar"}]},
                     "components": [{"group": "h", "name": "b", "version": "2"}]}
        self.assertEqual({"g:a": {"1": ["lib/a.jar"]}, "h:b": {"2": ["lib/a.jar"]}}, vulnerabilities.libraries([component]))


class VendoredScriptsTest(unittest.TestCase):
    """What the pages of the UI have from others, as files."""

    def test_should_say_of_each_file_which_package_it_is_from(self):
        resources = CHECKOUT / "web" / "src" / "main" / "resources"
        said = [file for files in json.loads((resources / sbom.NPM).read_text("utf-8")).values() for file in files]
        vendored = (resources / "io" / "eyewall" / "web" / "pages" / "vendor").iterdir()
        self.assertEqual(sorted(path.name for path in vendored if path.suffix != ".txt"), sorted(said))


class BuiltBillTest(unittest.TestCase):
    """What the build has written."""

    def setUp(self):
        self.home = built()
        self.bill = json.loads((self.home / sbom.NAME).read_text("utf-8"))

    def test_should_have_each_jar_of_the_installation_and_no_other(self):
        listed = {place["location"]: component["hashes"][0]["content"] for component in self.bill["components"] if "hashes" in component
                  for place in component["evidence"]["occurrences"]}
        jars = {jar.relative_to(self.home).as_posix(): hashlib.sha512(jar.read_bytes()).hexdigest() for jar in self.home.rglob("*.jar")}
        self.assertGreater(len(jars), 100)
        self.assertEqual(jars, listed)
        self.assertEqual(self.home.name, "eyewall-" + self.bill["metadata"]["component"]["version"])

    def test_should_say_what_our_jars_contain_of_others(self):
        inside = {}
        for component in self.bill["components"]:
            inside.setdefault(component["name"], set()).update(part["name"] for part in component.get("components", ()))
        for jar, parts in {"storm-client": {"storm-client"}, "storm-core": {"storm-server"}, "transport-rdma": {"jna"},
                           "eyewall-examples": {"clojure", "jedis", "gson", "HdrHistogram", "storm-clojure"},
                           "tail-latency": {"agrona", "HdrHistogram", "prometheus-metrics-model"},
                           "web": {"htm", "dagre"}, "storm-shaded-deps": {"netty-handler", "zookeeper"}}.items():
            self.assertLessEqual(parts, inside[jar], jar)

    def test_should_name_the_licence_of_every_jar(self):
        self.assertEqual([], [component["purl"] for component in self.bill["components"] if "licenses" not in component])

    def test_should_give_reasons_that_hold_for_vulnerabilities_that_do_no_harm(self):
        rows = vulnerabilities.read(vulnerabilities.TABLE)
        security = (CHECKOUT / "docs" / "reference" / "security.md").read_text("utf-8")
        self.assertEqual([], [row["id"] for row in rows if "docs/reference/security.md" in row["closed"] and row["library"].startswith(
            "org.apache.storm") and row["id"].partition("-")[2] not in security])
        claims = {}
        for match in filter(None, (NOTHING_NAMES.fullmatch(row["closed"]) for row in rows)):
            claims.setdefault(match[1], set()).update(re.findall(r"`([^`]+)`", match[2]))
        self.assertGreater(len(claims), 1)
        named = set()
        for jar in self.home.rglob("*.jar"):
            with zipfile.ZipFile(jar) as archive:
                for entry in archive.namelist():
                    if entry.endswith(".class"):
                        content = archive.read(entry)
                        for root, names in claims.items():
                            if root not in entry:
                                named.update((f"{jar.name}!{entry}", name) for name in names if name.encode() in content)
        self.assertEqual(set(), named)

    def test_should_keep_the_settings_of_zookeepers_client_out_of_the_logs(self):
        for name in ("cluster.xml", "worker.xml"):
            self.assertIn('zookeeper.common.ZKConfig" level="warn"', (self.home / "log4j2" / name).read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
