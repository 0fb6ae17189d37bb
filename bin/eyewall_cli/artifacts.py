"""Maven artifacts to ship with a topology, resolved by the mvn command with all that they need."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from .build import COLOURS
from .errors import CommandError, UsageError

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:list"
# group:artifact:type[:classifier]:version:scope:path, as the plugin lists them.
RESOLVED = re.compile(r"^\s*([^:\s]+):([^:\s]+):([^:\s]+):(?:([^:\s]+):)?([^:\s]+):(?:compile|runtime):(/.*?)(?: -- module .*)?$")


@dataclass(frozen=True)
class ArtifactRequest:
    """What the user asked for, as the options of `storm jar` give it."""

    artifacts: str
    repositories: str = ""
    local_repository: str = ""
    proxy_url: str = ""
    proxy_username: str = ""
    proxy_password: str = ""


def resolve(session, request):
    """The files of the artifacts and of all that they need, by group:artifact:type:version. Nothing asked for: an empty answer."""
    project = pom(request)
    if project is None:
        return {}
    mvn = shutil.which("mvn", path=session.installation.environment.get("PATH"))
    if mvn is None:
        raise CommandError("--artifacts needs Maven, but there is no mvn. Install it (Debian, Ubuntu: apt-get install maven), or ship "
                           "the jars with --jars.")
    with tempfile.TemporaryDirectory(prefix="storm-artifacts") as directory:
        Path(directory, "pom.xml").write_text(project, "utf-8")
        listing = Path(directory, "resolved")
        line = [mvn, "-B", "-q", "-U", "-f", os.path.join(directory, "pom.xml"), PLUGIN, f"-DoutputFile={listing}",
                "-DoutputAbsoluteArtifactFilename=true", "-DincludeScope=runtime"]
        if request.local_repository:
            line.append(f"-Dmaven.repo.local={os.path.abspath(request.local_repository)}")
        if request.proxy_url:
            # In a file of this user's own: a password must not show in the list of processes.
            settings_file = Path(directory, "settings.xml")
            settings_file.write_text(settings(request), "utf-8")
            line += ["-gs", str(settings_file)]
        process = subprocess.run(line, env=session.installation.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 encoding="utf-8", errors="replace", check=False)
        if process.returncode != 0:
            raise CommandError(f"--artifacts: {_first_error(process.stdout)} Correct the artifact, or name its repository with "
                               "--artifactRepositories.")
        return parse_listing(listing.read_text("utf-8"))


def pom(request):
    """A Maven project that depends on the artifacts; None if there are none."""
    dependencies = "".join(_dependency(artifact) for artifact in request.artifacts.split(",") if artifact.strip())
    if not dependencies:
        return None
    repositories = "".join(_repository(repository) for repository in request.repositories.split(",") if repository.strip())
    return ("<project><modelVersion>4.0.0</modelVersion><groupId>storm</groupId><artifactId>artifacts</artifactId><version>1</version>"
            f"<dependencies>{dependencies}</dependencies><repositories>{repositories}</repositories></project>")


def _dependency(artifact):
    coordinates, *exclusions = artifact.strip().split("^")
    parts = coordinates.split(":")
    if not 3 <= len(parts) <= 5 or not all(parts):
        raise UsageError(f"--artifacts: '{coordinates}' is not of the form group:artifact[:type[:classifier]]:version.")
    group, name, *middle, version = parts
    fields = [("groupId", group), ("artifactId", name), ("version", version)] + list(zip(("type", "classifier"), middle))
    excluded = ""
    for exclusion in exclusions:
        group, colon, name = exclusion.partition(":")
        if not group:
            raise UsageError(f"--artifacts: '{artifact}' has an empty exclusion. Write ^group:artifact.")
        excluded += "<exclusion>" + _elements([("groupId", group), ("artifactId", name if colon else "*")]) + "</exclusion>"
    return f"<dependency>{_elements(fields)}<exclusions>{excluded}</exclusions></dependency>"


def _repository(repository):
    name, separator, url = repository.strip().partition("^")
    if not separator or not name or not url:
        raise UsageError(f"--artifactRepositories: '{repository}' is not of the form name^url.")
    return f"<repository>{_elements([('id', name), ('url', url)])}</repository>"


def settings(request):
    """Maven settings that name the proxy."""
    url = urlsplit(request.proxy_url)
    try:
        port = url.port or 80
    except ValueError:
        port = None
    if not url.hostname or port is None:
        raise UsageError(f"--proxyUrl: '{request.proxy_url}' is not of the form http://host:port.")
    fields = [("id", "proxy"), ("active", "true"), ("protocol", url.scheme), ("host", url.hostname), ("port", str(port))]
    if request.proxy_username:
        fields += [("username", request.proxy_username), ("password", request.proxy_password)]
    return f"<settings><proxies><proxy>{_elements(fields)}</proxy></proxies></settings>"


def parse_listing(text):
    """What Maven resolved."""
    found = {}
    for line in text.splitlines():
        match = RESOLVED.match(line)
        if match:
            path = match.group(6)
            found[":".join(part for part in match.groups()[:5] if part)] = path
    return found


def _first_error(output):
    for line in COLOURS.sub("", output).splitlines():
        if line.startswith("[ERROR] "):
            reason = line[len("[ERROR] "):].split(" -> [Help")[0].strip()
            return re.sub(r"^Failed to execute goal .*?: ", "", reason).rstrip(".") + "."
    return "Maven failed without a reason."


def _elements(fields):
    return "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields)
