"""The documents: links and anchors lead somewhere, and what the code declares, measures and says is what they say of it."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pages
from support import CHECKOUT

from eyewall_cli import reference

DOCS = CHECKOUT / "docs"
REFERENCE = DOCS / "reference"
README_WORDS = 600
MODULE_README_WORDS = 400
MODULES = ("storm-client", "storm-core", "tail-latency", "transport-rdma", "schedulers", "elasticity", "web")
OPTION = re.compile(r"--[a-z-]+")
# What a build cannot do on a host that has no package index.
NO_GENERATOR = re.compile(r"pip could not install|python3-venv")


class LinkTest(unittest.TestCase):
    """Links between documents."""

    def test_should_lead_to_a_file_and_a_heading_with_every_link(self):
        dead, count = [], 0
        for page in pages.pages():
            for link in pages.links(page):
                if re.match(r"[a-z]+:", link):
                    continue
                count += 1
                name, _, anchor = link.partition("#")
                target = (page.parent / name).resolve() if name else page
                if not target.is_file():
                    dead.append(f"{page.relative_to(CHECKOUT)}: {link}: no such file")
                elif anchor and anchor not in pages.anchors(target):
                    dead.append(f"{page.relative_to(CHECKOUT)}: {link}: no such heading")
        self.assertEqual([], dead)
        self.assertGreater(count, 100)

    def test_should_be_able_to_reach_every_page_of_the_handbook(self):
        linked = {(page.parent / link.partition("#")[0]).resolve() for page in pages.pages() for link in pages.links(page)}
        self.assertEqual([], [str(page.relative_to(CHECKOUT)) for page in pages.pages() if DOCS in page.parents and page not in linked])

    def test_should_see_links_and_anchors_and_none_in_code(self):
        directory = tempfile.mkdtemp(prefix="storm-documents-")
        self.addCleanup(shutil.rmtree, directory)
        page = Path(directory, "page.md")
        page.write_text("# One `a-b` (c)\n\n[x](#one-a-b-c) `[y](z)` [n [1]](other.md#t \"title\")\n\n```sh\n# Two\n[q](r)\n```\n\n"
                        "## One `a-b` (c)\n", "utf-8")
        self.assertEqual(["#one-a-b-c", "other.md#t"], pages.links(page))
        self.assertEqual({"one-a-b-c", "one-a-b-c-1"}, pages.anchors(page))


class LengthTest(unittest.TestCase):
    """Documents for a reader who has little time."""

    def test_should_be_short_where_a_reader_begins(self):
        lengths = {CHECKOUT / "README.md": README_WORDS}
        lengths.update((path, MODULE_README_WORDS) for path in CHECKOUT.glob("*/README.md") if path.parent != DOCS)
        self.assertGreater(len(lengths), 5)
        for page, most in lengths.items():
            with self.subTest(page.relative_to(CHECKOUT)):
                self.assertLess(len(" ".join(pages.prose(page)).split()), most)


class ClassNameTest(unittest.TestCase):
    """Classes that the documents for developers name."""

    def test_should_name_only_classes_that_exist_in_the_readmes_of_modules(self):
        classes = {path.stem for path in CHECKOUT.rglob("*.java") if "target" not in path.relative_to(CHECKOUT).parts}
        readmes = [CHECKOUT / module / "README.md" for module in (*MODULES, "examples", "integration")]
        named = [(page.parent.name, name) for page in readmes for line in pages.prose(page)
                 for name in re.findall(r"`(?:[a-z]+\.)*([A-Z]\w*[a-z]\w*)`", line)]
        self.assertGreater(len(named), 20)
        self.assertEqual([], [f"{module}/README.md: {name}" for module, name in named if name not in classes])


class ReferenceTest(unittest.TestCase):
    """Reference pages beside the code. That of the keys has a test of its own, KeyReferenceSystemTest: it needs what is built."""

    @classmethod
    def setUpClass(cls):
        sources = [path for module in MODULES for path in (CHECKOUT / module / "src" / "main" / "java").rglob("*.java")]
        sources += [*(CHECKOUT / "bin" / "eyewall_cli").glob("*.py"), CHECKOUT / "bin" / "flight.bash"]
        text = "\n".join(path.read_text("utf-8") for path in sources)
        # Literals that are broken into several lines, in Java with a plus between.
        cls.code = re.sub(r"\"\s*\n\s*f?\"", "", re.sub(r"\"\s*\+\s*\"", "", text))

    def first_cells(self, page):
        """What is code in the first column of a page's tables."""
        cells = [line.split("|")[1] for line in pages.prose(REFERENCE / page) if line.startswith("| `")]
        return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]

    def test_should_describe_the_command_line_as_it_is_declared(self):
        self.assertEqual(reference.page(), (REFERENCE / "command-line.md").read_text("utf-8"),
                         "docs/reference/command-line.md: write it anew with `bin/docs generate`")

    def test_should_name_every_option_of_the_benchmark_and_no_other(self):
        options = next(CHECKOUT.rglob("integration/harness/src/main/java/**/BenchOptions.java")).read_text("utf-8")
        usage = options[options.index("USAGE ="):options.index(";", options.index("USAGE ="))]
        page = (REFERENCE / "command-line.md").read_text("utf-8")
        section = page[page.index("### storm bench"):].split("Takes no")[0]
        self.assertGreater(len(set(OPTION.findall(usage))), 10)
        self.assertEqual(set(OPTION.findall(usage)), set(OPTION.findall(section)))

    def test_should_explain_messages_that_the_code_has(self):
        messages = self.first_cells("errors.md")
        self.assertGreater(len(messages), 30)
        # Of a text with … for names and numbers, what stands between these.
        parts = [part.strip(" .:'") for message in messages for part in message.split("…")]
        self.assertEqual([], [part for part in parts if len(part) > 3 and part not in self.code])

    def test_should_list_the_vulnerabilities_that_tests_attack_and_no_other(self):
        rows = re.findall(r"^\| (2026-\d{5}(?:, 2026-\d{5})*) \|", (REFERENCE / "security.md").read_text("utf-8"), re.M)
        listed = [number for row in rows for number in re.findall(r"2026-(\d{5})", row)]
        tests = [path.name for module in MODULES for path in (CHECKOUT / module / "src" / "test").rglob("*Cve*Test.java")]
        self.assertEqual(17, len(listed))
        self.assertEqual(sorted(listed), sorted({number for name in tests for number in re.findall(r"Cve2026(\d{5})", name)}))

    def test_should_describe_every_metric_that_the_code_has_and_no_other(self):
        page = (REFERENCE / "metrics.md").read_text("utf-8")
        declared = set(re.findall(r"\"(eyewall_[a-z_]+)\"", self.code))
        declared |= set(re.findall(r"[gG]auge\((?:[a-z]+, )?\"([a-z-]+[a-z])-?\"", self.code))
        declared |= set(re.findall(r"show\(registry, \"([a-z-]+[a-z])-?\"", self.code))
        self.assertGreater(len(declared), 12)
        self.assertEqual(set(), {name for name in declared if name not in page})
        described = [re.sub(r"_total$|-[A-Z].*$", "", name) for name in self.first_cells("metrics.md")]
        self.assertEqual([], [name for name in described if name != "latency" and name not in self.code])


class QuotationTest(unittest.TestCase):
    """What pages quote from files of the installation."""

    def test_should_quote_the_logging_of_workers_as_it_is_shipped(self):
        shipped = (CHECKOUT / "storm-core" / "distribution" / "src" / "main" / "log4j2" / "worker.xml").read_text("utf-8")
        quoted = [block for block in pages.blocks(DOCS / "how-to" / "upgrade-and-go-back.md") if block.language == "xml"]
        self.assertEqual(1, len(quoted))
        self.assertIn([line.strip() for line in quoted[0].lines], _runs([line.strip() for line in shipped.splitlines()],
                                                                        len(quoted[0].lines)))


def _runs(lines, length):
    """All runs of that many lines one after the other."""
    return [lines[begin:begin + length] for begin in range(len(lines) - length + 1)]


class BuildTest(unittest.TestCase):
    """How pages build Eyewall, which takes minutes."""

    def test_should_show_the_progress_of_a_build(self):
        lines = [f"{block}: {line}" for page in pages.pages() for block in pages.blocks(page) for line in block.lines if "mvn " in line]
        self.assertGreater(len(lines), 3)
        self.assertEqual([], [line for line in lines if re.search(r" (-q|--quiet)\b", line)])


class SiteTest(unittest.TestCase):
    """The handbook as a site."""

    def test_should_build_without_a_warning_and_load_nothing_from_elsewhere(self):
        built = subprocess.run([sys.executable, str(CHECKOUT / "bin" / "docs")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               encoding="utf-8", check=False)
        if NO_GENERATOR.search(built.stdout):
            self.skipTest(built.stdout.strip().splitlines()[-1])
        self.assertEqual(0, built.returncode, built.stdout)
        site = CHECKOUT / "target" / "docs" / "site"
        parts = re.compile(r"<(?:script|img|iframe|link)\b[^>]* (?:src|href)=\"?((?:https?:)?//[^\" >]*)")
        foreign = [f"{page.relative_to(site)}: {url}" for page in site.rglob("*.html") for url in parts.findall(page.read_text("utf-8"))]
        self.assertEqual([], foreign)
        self.assertIn("ledger", (site / "search" / "search_index.json").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
