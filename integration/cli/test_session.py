"""The environment, the installation and the configuration that commands work with."""

import shutil
import subprocess
import unittest

from support import CHECKOUT, InstallationCase


class SessionTest(InstallationCase):
    """See the module."""

    def test_should_export_the_configuration_directory_as_upstream_does(self):
        self.assertEqual(str(self.home / "conf"), self.call("list").environment["STORM_CONF_DIR"])
        other = self.directory / "etc"
        other.mkdir()
        call = self.call("list", STORM_CONF_DIR=str(other))
        self.assertEqual(str(other), call.environment["STORM_CONF_DIR"])
        self.assertIn(str(other), call.class_path)

    def test_should_take_variables_from_the_shell_script_and_then_from_the_ini_file(self):
        (self.home / "conf" / "storm-env.sh").write_text("export FROM_SCRIPT='a b' IN_BOTH=1\nNOT_EXPORTED=1\necho hello\n", "utf-8")
        (self.home / "conf" / "storm_env.ini").write_text("[environment]\nIn_Ini: 100%\nIN_BOTH = 2\n", "utf-8")
        environment = self.call("list").environment
        self.assertEqual(("a b", "100%", "2"), tuple(environment[name] for name in ("FROM_SCRIPT", "In_Ini", "IN_BOTH")))
        self.assertNotIn("NOT_EXPORTED", environment)

    def test_should_take_java_from_the_ini_file(self):
        shutil.copytree(self.java_home, self.directory / "other-java")
        (self.home / "conf" / "storm_env.ini").write_text(f"[environment]\nJAVA_HOME: {self.directory / 'other-java'}\n", "utf-8")
        result = self.storm("list", "--debug", JAVA_HOME="/nosuch")
        self.assertIn(f"Running: {self.directory}/other-java/bin/java ", result.stderr)

    def test_should_name_the_file_when_the_environment_cannot_be_read(self):
        ini = self.home / "conf" / "storm_env.ini"
        ini.write_text("NAME=value\n", "utf-8")
        self.assert_fails(self.storm("list"), 1, str(ini), "[environment]")
        ini.unlink()
        script = self.home / "conf" / "storm-env.sh"
        script.write_text("exit 3\n", "utf-8")
        self.assert_fails(self.storm("list"), 1, str(script), "exit code 3")

    def test_should_append_the_class_paths_of_the_environment(self):
        call = self.call("list", STORM_EXT_CLASSPATH="/x/*", STORM_EXT_CLASSPATH_DAEMON="/y.jar")
        self.assertEqual(["/x/*", "/y.jar"], call.class_path[4:6])
        result = self.storm("classpath", STORM_EXT_CLASSPATH="/x/*")
        self.assertEqual(":".join(str(self.home / name) for name in ("*", "lib-worker/*", "extlib/*", "extlib-daemon/*")) + ":/x/*\n",
                         result.stdout)

    def test_should_say_what_is_missing_when_there_is_no_java(self):
        self.assert_fails(self.storm("list", JAVA_HOME="/nosuch"), 1, "JAVA_HOME is /nosuch", "JDK 17")
        self.assert_fails(self.storm("list", JAVA_HOME="", PATH=str(self.directory)), 1, "no java found", "openjdk-17")

    def test_should_find_the_configuration_file_by_file_directory_or_variable(self):
        config = self.directory / "storm.yaml"
        config.write_text("# mine\n", "utf-8")
        for arguments, environment in ((["--config", config], {}), (["--config", self.directory], {}),
                                       (["--config", "storm.yaml"], {}), ([], {"STORM_CONF_FILE": str(config)})):
            with self.subTest(arguments):
                self.assertEqual(str(config), self.call("list", *arguments, **environment).property("storm.conf.file"))
        self.assertEqual("", self.call("list").property("storm.conf.file"))
        (self.home / "conf" / "other.yaml").write_text("# other\n", "utf-8")
        self.assertEqual(str(self.home / "conf" / "other.yaml"), self.call("list", "--config", "other.yaml").property("storm.conf.file"))

    def test_should_refuse_a_configuration_that_does_not_exist(self):
        self.assert_fails(self.storm("list", "--config", "nosuch.yaml"), 1, "--config: no such file: nosuch.yaml")
        self.assert_fails(self.storm("list", STORM_CONF_FILE="/nosuch.yaml"), 1, "STORM_CONF_FILE: no such file")
        self.assert_fails(self.storm("list", "-c", "topology.workers"), 2, "-c topology.workers", "KEY=VALUE")
        self.assert_fails(self.storm("list", "-c", "=3"), 2, "KEY=VALUE")

    def test_should_say_how_to_build_when_a_checkout_has_no_installation(self):
        checkout = self.directory / "checkout"
        self.copy_command(checkout)
        shutil.copy(CHECKOUT / "pom.xml", checkout / "pom.xml")
        self.assert_fails(self.storm("list", root=checkout), 1, "storm-core/distribution/target/eyewall-", "mvn -DskipTests package")

    def test_should_say_so_when_an_installation_is_incomplete(self):
        shutil.rmtree(self.home / "lib")
        self.assert_fails(self.storm("list"), 1, "lib is missing", "Unpack the distribution again")

    def test_should_work_through_a_symbolic_link(self):
        link = self.directory / "storm"
        link.symlink_to(self.home / "bin" / "storm")
        result = subprocess.run([str(link), "classpath"], env=self.environment, stdout=subprocess.PIPE, encoding="utf-8", check=True)
        self.assertIn(str(self.home / "lib-worker"), result.stdout)


if __name__ == "__main__":
    unittest.main()
