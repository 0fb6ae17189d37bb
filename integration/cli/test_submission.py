"""Sub-commands that run a user's own program."""

import json
import os
import sys
import unittest
import zipfile

from support import InstallationCase


class JarTest(InstallationCase):
    """storm jar and storm local."""

    def submit(self, *arguments, **environment):
        """Runs storm jar with a jar and a main class."""
        return self.call("jar", self.jar(), "my.Main", *arguments, **environment)

    def test_should_run_the_main_class_on_the_class_path_of_workers(self):
        jar = self.jar()
        call = self.submit("name")
        self.assertEqual(("my.Main", ["name"], True), (call.main_class, call.main_arguments, call.launched))
        expected = [str(self.home / name) for name in ("*", "lib-worker/*", "extlib/*")] + [jar, str(self.home / "conf"),
                                                                                           str(self.home / "bin")]
        self.assertEqual(expected, call.class_path)
        self.assertEqual((jar, "", "{}"), tuple(call.property("storm." + name) for name in ("jar", "dependency.jars",
                                                                                            "dependency.artifacts")))

    def test_should_use_the_libraries_of_daemons_when_asked_to(self):
        self.assertIn(str(self.home / "lib" / "*"), self.submit("name", "--storm-server-classpath").class_path)

    def test_should_leave_unknown_options_to_the_users_program_in_their_order(self):
        call = self.submit("-R", "/x.yaml", "name", "--sleep=3", "-h", "--debug", "-count")
        self.assertEqual(["-R", "/x.yaml", "name", "--sleep=3", "-h", "--debug", "-count"], call.main_arguments)
        self.assertIsNone(call.property("eyewall.command.debug"))

    def test_should_take_its_own_options_wherever_they_stand(self):
        extra = self.jar("extra.jar")
        call = self.submit("name", "-c", "topology.workers=2", "more", "--jars", extra, "--config", self.home / "conf" / "storm.yaml")
        self.assertEqual(["name", "more"], call.main_arguments)
        self.assertEqual("topology.workers%3D2", call.property("storm.options"))
        self.assertEqual(extra, call.property("storm.dependency.jars"))
        self.assertEqual(extra, call.class_path[-1])

    def test_should_leave_everything_behind_two_dashes_to_the_users_program(self):
        call = self.submit("name", "--", "-c", "a=b", "--jars", "--")
        self.assertEqual(["name", "-c", "a=b", "--jars", "--"], call.main_arguments)
        self.assertEqual("", call.property("storm.options"))

    def test_should_add_the_jvm_options_of_the_environment(self):
        call = self.submit("name", STORM_JAR_JVM_OPTS="-Xmx2g -Da='b c'")
        options = call.arguments[call.arguments.index("-cp") + 2:]
        self.assertEqual(["-Xmx2g", "-Da=b c"], options[:2])

    def test_should_start_quickly_except_where_the_topology_runs_in_the_process(self):
        self.assertIn("-XX:TieredStopAtLevel=1", self.submit("name").arguments)
        self.assertNotIn("-XX:TieredStopAtLevel=1", self.call("local", self.jar(), "my.Main").arguments)

    def test_should_take_paths_from_the_configuration(self):
        call = self.submit("name", FAKE_JAVA_VALUES=json.dumps({"java.library.path": "/opt/lib", "storm.log.dir": "/logs"}))
        self.assertEqual(("/opt/lib", "/logs"), (call.property("java.library.path"), call.property("storm.log.dir")))

    def test_should_refuse_what_is_no_jar(self):
        self.assert_fails(self.storm("jar", "nosuch.jar", "my.Main"), 1, "topology-jar-path", "no such file: nosuch.jar")
        text = self.directory / "text.jar"
        text.write_text("no jar", "utf-8")
        self.assert_fails(self.storm("jar", text, "my.Main"), 1, "text.jar is not a jar")
        self.assert_fails(self.storm("jar", self.jar(), "my.Main", "--jars", f"{self.jar('a.jar')},nosuch.jar"), 1, "--jars",
                          "no such file: nosuch.jar")
        self.assert_fails(self.storm("jar", self.jar()), 2, "topology-main-class")
        self.assert_fails(self.storm("jar", "--jrs", "x", self.jar(), "my.Main"), 2, "--jrs")
        self.assert_fails(self.storm("jar", self.jar(), "my.Main", "name", "-c"), 2, "-c needs a value")

    def test_should_run_a_cluster_in_the_process_for_local_mode(self):
        call = self.call("local", self.jar(), "my.Main", "name", "--local-ttl", "5", "--local-zookeeper", "zoo:2181", "-x",
                         "--java-debug", "transport=dt_socket,address=8000")
        self.assertEqual(("org.apache.storm.LocalCluster", ["my.Main", "name", "-x"]), (call.main_class, call.main_arguments))
        self.assertEqual(("5", "zoo:2181"), (call.property("storm.local.sleeptime"), call.property("storm.local.zookeeper")))
        self.assertIn("-agentlib:jdwp=transport=dt_socket,address=8000", call.arguments)
        self.assertIn(str(self.home / "lib" / "*"), call.class_path)
        self.assertEqual("20", self.call("local", self.jar(), "my.Main").property("storm.local.sleeptime"))


class ArtifactsTest(InstallationCase):
    """storm jar --artifacts."""

    MAVEN = """
import json, os, sys
with open(os.environ["MAVEN_CALL"], "w") as call:
    pom = open(sys.argv[sys.argv.index("-f") + 1]).read()
    settings = open(sys.argv[sys.argv.index("-gs") + 1]).read() if "-gs" in sys.argv else ""
    json.dump({"arguments": sys.argv[1:], "pom": pom, "settings": settings}, call)
if os.environ.get("MAVEN_FAILS"):
    print("\\x1b[0m[ERROR] Failed to execute goal g:a:1:list (default-cli): Could not find artifact g:a:jar:1 in central -> [Help 1]")
    sys.exit(1)
output = [a for a in sys.argv if a.startswith("-DoutputFile=")][0].split("=", 1)[1]
with open(output, "w") as listing:
    listing.write("\\nThe following files have been resolved:\\n   g:a:jar:1:compile:/m2/a-1.jar\\n"
                  "   g:b:jar:tests:2:runtime:/m2/b 2.jar -- module b (auto)\\n")
"""

    def setUp(self):
        super().setUp()
        self.program(self.directory / "maven" / "mvn", self.MAVEN)
        self.environment["PATH"] = f"{self.directory / 'maven'}:{self.environment['PATH']}"
        self.environment["MAVEN_CALL"] = str(self.directory / "maven.json")

    def maven(self):
        """How Maven was called."""
        with open(self.environment["MAVEN_CALL"], encoding="utf-8") as call:
            return json.load(call)

    def test_should_ship_what_maven_resolves(self):
        call = self.call("jar", self.jar(), "my.Main", "--artifacts", "g:a:1")
        self.assertEqual({"g:a:jar:1": "/m2/a-1.jar", "g:b:jar:tests:2": "/m2/b 2.jar"},
                         json.loads(call.property("storm.dependency.artifacts")))
        self.assertEqual(["/m2/a-1.jar", "/m2/b 2.jar"], call.class_path[-2:])

    def test_should_describe_artifacts_exclusions_and_repositories_to_maven(self):
        self.call("jar", self.jar(), "my.Main", "--artifacts", "g:a:1,h:b:2^x:y^z", "--artifactRepositories", "mine^http://r/?a&b",
                  "--mavenLocalRepositoryDirectory", "m2")
        maven = self.maven()
        self.assertIn("<dependency><groupId>h</groupId><artifactId>b</artifactId><version>2</version><exclusions><exclusion>"
                      "<groupId>x</groupId><artifactId>y</artifactId></exclusion><exclusion><groupId>z</groupId><artifactId>*"
                      "</artifactId></exclusion></exclusions></dependency>", maven["pom"])
        self.assertIn("<repository><id>mine</id><url>http://r/?a&amp;b</url></repository>", maven["pom"])
        self.assertIn(f"-Dmaven.repo.local={self.directory / 'm2'}", maven["arguments"])

    def test_should_keep_the_proxys_password_off_the_command_line(self):
        self.call("jar", self.jar(), "my.Main", "--artifacts", "g:a:1", "--proxyUrl", "http://proxy:3128", "--proxyUsername", "alice",
                  "--proxyPassword", "se<cret")
        maven = self.maven()
        self.assertIn("<protocol>http</protocol><host>proxy</host><port>3128</port><username>alice</username>"
                      "<password>se&lt;cret</password>", maven["settings"])
        self.assertNotIn("cret", " ".join(maven["arguments"]))

    def test_should_tell_mavens_reason_when_an_artifact_cannot_be_resolved(self):
        result = self.storm("jar", self.jar(), "my.Main", "--artifacts", "g:a:1", MAVEN_FAILS="1")
        self.assert_fails(result, 1, "--artifacts: Could not find artifact g:a:jar:1 in central.", "--artifactRepositories")

    def test_should_refuse_what_is_no_artifact(self):
        for options in (["--artifacts", "g:a"], ["--artifacts", "g:a:1^"], ["--artifacts", "g:a:1", "--artifactRepositories", "http://r"],
                        ["--artifacts", "g:a:1", "--proxyUrl", "proxy"]):
            with self.subTest(options):
                self.assert_fails(self.storm("jar", self.jar(), "my.Main", *options), 2, options[-2], "form" if "^" not in options[-1]
                                  else "exclusion")

    def test_should_say_what_to_install_when_there_is_no_maven(self):
        # Only what bin/storm itself needs is found here.
        tools = self.directory / "tools"
        tools.mkdir()
        result = self.storm("jar", self.jar(), "my.Main", "--artifacts", "g:a:1", PATH=str(tools))
        self.assert_fails(result, 1, "no mvn", "apt-get install maven", "--jars")


class ShellTest(InstallationCase):
    """storm shell."""

    def test_should_upload_the_directory_and_run_the_command(self):
        resources = self.directory / "resources" / "deep"
        resources.mkdir(parents=True)
        (resources / "split.py").write_text("# a bolt\n", "utf-8")
        keeper = self.directory / "kept.jar"
        # Instead of Java: keeps the jar, which is gone when the command has ended.
        self.program(self.java_home / "bin" / "java", (
            "import json, shutil, sys\n"
            f"shutil.copy(sys.argv[sys.argv.index('org.apache.storm.command.ShellSubmission') + 1], {str(keeper)!r})\n"
            "print(json.dumps(sys.argv[1:]))\nsys.exit(7)\n"))
        result = self.storm("shell", "resources", "python3", "topology.py", "-x", "arg", "-c", "a=b")
        self.assertEqual(7, result.returncode, result.stderr)
        arguments = json.loads(result.stdout)
        jar = arguments[arguments.index("org.apache.storm.command.ShellSubmission") + 1]
        self.assertEqual(["python3", "topology.py", "-x", "arg"], arguments[arguments.index(jar) + 1:])
        self.assertIn("-Dstorm.options=a%3Db", arguments)
        self.assertFalse(os.path.exists(jar))
        with zipfile.ZipFile(keeper) as archive:
            self.assertEqual(["META-INF/MANIFEST.MF", "resources/deep/split.py"], sorted(archive.namelist()))

    def test_should_refuse_a_directory_that_does_not_exist(self):
        self.assert_fails(self.storm("shell", "nosuch", sys.executable), 1, "no such directory: nosuch")
        self.assert_fails(self.storm("shell", "nosuch"), 2, "shell-command")


if __name__ == "__main__":
    unittest.main()
