"""The software bill of materials (SBOM) of an installation, in the JSON form of CycloneDX 1.6.

usage: sbom.py HOME VERSION TIMESTAMP LISTING...

Writes HOME/sbom.cdx.json. It has every jar of the installation, with its Maven coordinates, checksum, licences and paths, and below each
jar the libraries whose classes it contains. So it has each artifact whose native libraries lie below external/ARTIFACT. What a jar of others' contains, its own META-INF/maven says. What a jar of ours contains
stands in JAR.bundled beside it, a listing of Maven's, and for scripts of npm's in its META-INF/npm-packages.json. LISTING is what
maven-dependency-plugin:list has written of the modules whose dependencies the installation consists of. The same installation gives the
same bytes.
"""

import hashlib
import json
import re
import sys
import uuid
import zipfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

NAME = "sbom.cdx.json"
# group:artifact:type[:classifier]:version:scope[:path], as maven-dependency-plugin lists artifacts.
LISTED = re.compile(r"^ +([^:\s]+):([^:\s]+):([^:\s]+):(?:([^:\s]+):)?([^:\s]+):(?:compile|runtime|provided|test|system)(?::(/.*?))?"
                    r"(?: \(optional\))?(?: -- module .*)?$")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
NPM = "META-INF/npm-packages.json"
OWN_POM = re.compile(r"META-INF/maven/([^/]+)/([^/]+)/pom\.properties")
NAMESPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")


@dataclass(frozen=True, order=True)
class Library:
    """Maven's coordinates of a jar, or npm's of a package, whose scope is the group."""

    group: str
    name: str
    version: str
    classifier: str = ""
    ecosystem: str = "maven"

    @property
    def purl(self):
        """The package URL."""
        if self.ecosystem == "npm":
            return "pkg:npm/" + "/".join(quote(part, safe="") for part in (self.group, self.name) if part) + f"@{self.version}"
        qualifiers = f"classifier={quote(self.classifier)}&type=jar" if self.classifier else "type=jar"
        return f"pkg:maven/{quote(self.group)}/{quote(self.name)}@{quote(self.version)}?{qualifiers}"

    def component(self, reference=None):
        """What the bill says of it."""
        group = {"group": self.group} if self.group else {}
        return {"type": "library", "bom-ref": reference or self.purl, **group, "name": self.name, "version": self.version,
                "purl": self.purl}


def read_listing(text):
    """The libraries of a listing and where each lies, as pairs."""
    found = []
    for line in COLOURS.sub("", text).splitlines():
        match = LISTED.match(line)
        if match and match[3] in ("jar", "test-jar", "bundle"):
            found.append((Library(match[1], match[2], match[5], match[4] or ""), match[6]))
    return found


def known_jars(listings):
    """By the name of the jar: the library, and where Maven has it."""
    known = {}
    for listing in listings:
        for library, path in read_listing(Path(listing).read_text("utf-8")):
            name = Path(path).name
            if known.setdefault(name, (library, path))[0] != library:
                sys.exit(f"sbom: {name} is both {library.purl} and {known[name][0].purl}: they cannot lie in one directory.")
    return known


def bundled(jar, own, source):
    """What a jar contains besides itself."""
    listing = Path(f"{source}.bundled")
    if listing.is_file():
        return sorted({library for library, _ in read_listing(listing.read_text("utf-8"))})
    found = set()
    with zipfile.ZipFile(jar) as archive:
        for entry in archive.namelist():
            match = OWN_POM.fullmatch(entry)
            if match:
                text = archive.read(entry).decode("latin-1")
                version = re.search(r"^version\s*=\s*(\S+)", text, re.MULTILINE)
                if version and match[2] != own.name:
                    found.add(Library(match[1], match[2], version[1]))
        if NPM in archive.namelist():
            for package in json.loads(archive.read(NPM)):
                name, version = package.rsplit("@", 1)
                found.add(Library(*name.rpartition("/")[::2], version, ecosystem="npm"))
    return sorted(found)


def licences(library, source):
    """Names and addresses of the licences, from the POM beside the jar in Maven's repository or from its parents."""
    if library.group == "io.eyewall":
        return [{"license": {"id": "Apache-2.0"}}]
    directory = Path(source).parent
    repository = directory.parents[len(library.group.split(".")) + 1]
    pom = directory / f"{library.name}-{library.version}.pom"
    while pom.is_file():
        root = ElementTree.fromstring(pom.read_bytes())
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
        found = [{key: text for key in ("name", "url") if (text := (entry.findtext(key) or "").strip())}
                 for entry in root.findall("licenses/license")]
        if any(found):
            return [{"license": {"name": entry.get("name", entry.get("url")), **({"url": entry["url"]} if "url" in entry else {})}}
                    for entry in found if entry]
        group, name, version = ((root.findtext(f"parent/{key}") or "").strip() for key in ("groupId", "artifactId", "version"))
        if not name:
            break
        pom = repository.joinpath(*group.split("."), name, version, f"{name}-{version}.pom")
    return []


def described(home, library, source, files):
    """What the bill says of a library that lies in these files."""
    terms = licences(library, source)
    return {**library.component(), **({"licenses": terms} if terms else {}),
            "evidence": {"occurrences": [{"location": file.relative_to(home).as_posix()} for file in files]}}


def native(home, known):
    """Every artifact that native libraries were taken out of."""
    files = {}
    for file in sorted(home.glob("external/*/**/*.so"), key=Path.as_posix):
        name = file.relative_to(home).parts[1]
        if name not in known:
            sys.exit(f"sbom: {file.relative_to(home)} is of no dependency that Maven lists: none has the artifactId {name}.")
        files.setdefault(name, []).append(file)
    return [described(home, *known[name], of) for name, of in files.items()]


def components(home, known):
    """Every jar of the installation, once for all of its paths."""
    paths = {}
    for jar in sorted(home.rglob("*.jar"), key=Path.as_posix):
        if jar.name not in known:
            sys.exit(f"sbom: {jar.relative_to(home)} is no dependency that Maven lists. Add its module's listing to the call.")
        paths.setdefault(jar.name, []).append(jar)
    found = []
    for name, jars in paths.items():
        library, source = known[name]
        digests = {hashlib.sha512(jar.read_bytes()).hexdigest() for jar in jars}
        if len(digests) > 1:
            sys.exit(f"sbom: {name} has other bytes in each of {', '.join(str(jar.relative_to(home)) for jar in jars)}.")
        component = {**described(home, library, source, jars), "hashes": [{"alg": "SHA-512", "content": digests.pop()}]}
        within = [inner.component(f"{library.purl}#{inner.purl}") for inner in bundled(jars[0], library, source)]
        if within:
            component["components"] = within
        found.append(component)
    found += native(home, {library.name: (library, source) for library, source in known.values()})
    return sorted(found, key=lambda component: component["bom-ref"])


def bill(home, version, timestamp, listings):
    """The whole document."""
    parts = components(home, known_jars(listings))
    content = json.dumps(parts, sort_keys=True)
    own = {"type": "application", "bom-ref": f"pkg:generic/eyewall@{version}", "name": "eyewall", "version": version,
           "purl": f"pkg:generic/eyewall@{version}", "licenses": [{"license": {"id": "Apache-2.0"}}]}
    return {"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
            "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, content)}", "version": 1,
            "metadata": {"timestamp": timestamp, "component": own}, "components": parts}


def main(arguments):
    """Writes the bill."""
    if len(arguments) < 4:
        sys.exit(__doc__)
    home = Path(arguments[0])
    (home / NAME).write_text(json.dumps(bill(home, *arguments[1:3], arguments[3:]), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
