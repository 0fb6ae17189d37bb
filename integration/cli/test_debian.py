"""The Debian package: built, installed into a root of its own, run, upgraded, removed."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import CHECKOUT

from eyewall_cli import doctor, processes
from eyewall_cli.session import Session

sys.path.insert(0, str(CHECKOUT / "packaging"))

import debian  # noqa: E402  (found only through the path above)

MIDNIGHT_S = 1_767_225_600
START_S = 120
# What systemd gives a service.
ENVIRONMENT = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/var/lib/storm"]


def built():
    """The installation that the build has left; skips the test without one."""
    home = Session(CHECKOUT).home
    if not (home / "lib").is_dir():
        raise unittest.SkipTest(f"nothing is built: {home} is missing. `bin/test` builds it first.")
    return home


class PackageTest(unittest.TestCase):
    """What is packed, on an installation of a few files."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="eyewall-debian-")
        self.addCleanup(directory.cleanup)
        self.home = Path(directory.name, "eyewall-1.2.3")
        for name in ("bin", "conf", "lib", "log4j2/stdout", "extlib"):
            (self.home / name).mkdir(parents=True)
        (self.home / "bin" / "storm").write_text("#!/bin/sh\n", "utf-8")
        (self.home / "bin" / "storm").chmod(0o755)
        shutil.copy(CHECKOUT / "conf" / "storm.yaml", self.home / "conf")
        for name in ("cluster.xml", "worker.xml", "stdout/worker.xml"):
            (self.home / "log4j2" / name).write_text("<Configuration/>\n", "utf-8")
        (self.home / "NOTICE").write_text("Eyewall\n", "utf-8")

    def field(self, package, name):
        """A field of what dpkg is told."""
        return subprocess.run(["dpkg-deb", "--field", package, name], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.strip()

    def test_should_give_the_same_bytes_whoever_builds_it_and_when(self):
        contents = []
        for mask, mode in ((0o022, 0o644), (0o077, 0o600)):
            self.addCleanup(os.umask, os.umask(mask))
            (self.home / "NOTICE").chmod(mode)
            os.utime(self.home / "NOTICE", (mode, mode))
            contents.append(debian.build(self.home, MIDNIGHT_S).read_bytes())
        self.assertEqual(contents[0], contents[1])

    def test_should_carry_the_version_and_list_what_users_change(self):
        package = debian.build(self.home, MIDNIGHT_S)
        self.assertEqual("eyewall_1.2.3_all.deb", package.name)
        self.assertEqual(("1.2.3", "eyewall"), (self.field(package, "Version"), self.field(package, "Package")))
        control = Path(tempfile.mkdtemp(dir=self.home.parent))
        subprocess.run(["dpkg-deb", "--control", package, control], check=True)
        conffiles = (control / "conffiles").read_text("utf-8").split()
        listed = subprocess.run(["dpkg-deb", "--contents", package], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        in_etc = [line.split()[-1].lstrip(".") for line in listed.splitlines() if " ./etc/" in line and not line.startswith("d")]
        self.assertEqual(sorted(in_etc), sorted(conffiles))
        self.assertIn("/etc/storm/log4j2/stdout/worker.xml", conffiles)

    def test_should_say_what_is_wrong_with_what_is_to_be_packed(self):
        (self.home / "conf" / "storm.yaml").write_text("# nothing\n", "utf-8")
        with self.assertRaisesRegex(debian.PackagingFailure, "no line `# storm.local.dir: ...`"):
            debian.build(self.home, MIDNIGHT_S)
        with self.assertRaisesRegex(debian.PackagingFailure, "nothing to pack: .*Build it first"):
            debian.build(self.home.parent / "eyewall-0", MIDNIGHT_S)


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("dpkg"), "needs root on Debian: mounts and a root of its own")
class InstalledPackageTest(unittest.TestCase):
    """The real package in a root that looks like this host's: what is written there is gone afterwards. It has its own network."""

    @classmethod
    def setUpClass(cls):
        built()
        made = subprocess.run([sys.executable, str(CHECKOUT / "bin" / "package"), "deb"], stdout=subprocess.PIPE, encoding="utf-8",
                              check=True)
        cls.package = CHECKOUT / made.stdout.strip()
        subprocess.run(["sha512sum", "--check", "--status", f"{cls.package.name}.sha512"], cwd=cls.package.parent, check=True)

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="eyewall-root-"))
        self.addCleanup(self.root.rmdir)
        self.daemons = []
        # They end with the first process of the namespaces, which is killed before this.
        self.addCleanup(lambda: [daemon.wait() for daemon in self.daemons])
        self.keeper = subprocess.Popen(["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sleep", "infinity"],
                                       stdin=subprocess.DEVNULL)
        self.addCleanup(self.keeper.wait)
        self.addCleanup(self.keeper.kill)
        self.assertTrue(processes.wait_until(self.children, 10))
        self.first = self.children()[0]
        self.outside(f"mount -t tmpfs none {self.root} && cd {self.root} && mkdir upper work root && "
                     "mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root && "
                     "mount --rbind /dev root/dev && mount -t tmpfs none root/dev/shm && mount -t tmpfs none root/tmp && "
                     f"chmod 1777 root/dev/shm root/tmp && mount -t proc proc root/proc && ip link set lo up && cp {self.package} root/")
        self.inside("rm -rf /etc/storm /var/lib/storm /var/log/storm")

    def children(self):
        """The first process of the namespaces, when there is one."""
        return Path(f"/proc/{self.keeper.pid}/task/{self.keeper.pid}/children").read_text("ascii").split()

    def enter(self, *command):
        """A command line that runs in the namespaces."""
        return ["nsenter", "--target", self.first, "--mount", "--net", "--pid", *command]

    def outside(self, script):
        """Runs a script in the namespaces, on this host's root."""
        subprocess.run(self.enter("sh", "-euc", script), check=True, stdin=subprocess.DEVNULL)

    def inside(self, script, check=True):
        """Runs a script in the root; returns what it printed."""
        done = subprocess.run(self.enter("chroot", self.root / "root", *ENVIRONMENT, "sh", "-euc", script), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        if check:
            self.assertEqual(0, done.returncode, done.stdout)
        return done.stdout

    def install(self):
        """Installs the package, whatever this host's Java comes from."""
        return self.inside(f"DEBIAN_FRONTEND=noninteractive dpkg --force-depends --force-unsafe-io --install /{self.package.name}")

    def unit(self):
        """The values of the daemons' unit."""
        lines = self.inside("cat /lib/systemd/system/storm@.service").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))

    def start(self, daemon):
        """Starts a daemon as its unit says, with this host's limits."""
        values = self.unit()
        user = f"setpriv --reuid={values['User']} --regid={values['Group']} --init-groups --no-new-privs"
        script = f"umask {values['UMask']}; cd {values['WorkingDirectory']}; exec {user} {values['ExecStart'].replace('%i', daemon)}"
        line = self.enter("chroot", self.root / "root", *ENVIRONMENT, "sh", "-euc", script)
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.daemons.append(process)
        return process

    def pids(self, option):
        """Processes of the namespaces with that option in their command lines, other than the one that looks for it."""
        return self.inside(f"grep -la -- '[-]{option[1:]}' /proc/[0-9]*/cmdline 2> /dev/null | cut -d / -f 3 || true").split()

    def test_should_install_user_directories_command_and_units(self):
        self.install()
        user = self.inside("getent passwd storm").strip().split(":")
        self.assertEqual(("/var/lib/storm", "/usr/sbin/nologin"), tuple(user[-2:]))
        self.assertEqual("storm storm 750 /var/lib/storm\nstorm storm 750 /var/log/storm\nroot root 644 /etc/storm/storm.yaml\n",
                         self.inside("stat -c '%U %G %a %n' /var/lib/storm /var/log/storm /etc/storm/storm.yaml"))
        self.assertEqual("", self.inside("find /usr/share/eyewall ! -user root -o ! -group root -o -perm /022 ! -type l"))
        self.assertEqual("storm.local.dir: /var/lib/storm\n", self.inside("storm remoteconfvalue storm.local.dir | tail -n 1"))
        self.assertGreaterEqual(int(self.unit()["LimitNOFILE"]), doctor.FEWEST_FILES)
        self.assertEqual("", self.inside("systemd-analyze verify --man=no storm@nimbus.service storm@supervisor.service storm@ui.service "
                                         "storm@drpc.service"))

    def test_should_run_daemons_as_the_user_and_let_workers_outlive_their_supervisor(self):
        self.install()
        self.inside("echo 'storm.local.hostname: localhost' >> /etc/storm/storm.yaml")
        for daemon in ("dev-zookeeper", "nimbus", "ui"):
            self.start(daemon)
        supervisor = self.start("supervisor")
        self.assertTrue(processes.wait_until(lambda: "no leading Nimbus" not in self.inside("storm list", check=False), START_S))
        self.inside("storm jar /usr/share/eyewall/examples/eyewall-examples-*.jar io.eyewall.examples.Main chain trial")
        self.assertTrue(processes.wait_until(lambda: self.inside("find /var/log/storm -name worker.log -size +0"), START_S))
        workers = self.pids("-Dworker.port=")
        self.assertGreater(len(workers), 0)
        for pid in workers + self.pids("-Ddaemon.name=nimbus"):
            self.assertEqual("storm\n", self.inside(f"stat -c %U /proc/{pid}"))
        self.assertIn("\"supervisors\":1", self.inside("python3 -c 'import urllib.request; print(urllib.request.urlopen("
                                                       "\"http://localhost:8080/api/v1/cluster/summary\").read().decode())'"))
        self.assertEqual("", self.inside("find /usr/share/eyewall -user storm"))
        self.assertIn("nimbus.log", self.inside("ls /var/log/storm"))

        # As KillMode=process has it.
        self.inside("kill " + self.pids("-Ddaemon.name=supervisor")[0])
        self.assertIn(supervisor.wait(START_S), (143, -15))
        self.assertLessEqual(set(workers), set(self.pids("-Dworker.port=")))
        self.start("supervisor")
        self.assertTrue(processes.wait_until(lambda: self.pids("-Ddaemon.name=supervisor"), START_S))
        self.inside("setpriv --reuid=storm --regid=storm --init-groups storm kill_workers")
        self.assertTrue(processes.wait_until(lambda: not set(workers) & set(self.pids("-Dworker.port=")), START_S))

    def test_should_keep_configuration_in_an_upgrade_and_data_until_it_is_purged(self):
        self.install()
        self.inside("echo '# mine' >> /etc/storm/storm.yaml; touch /var/lib/storm/state /usr/share/eyewall/extlib/mine.jar")
        printed = self.install()
        self.assertIn("# mine", self.inside("tail -n 1 /etc/storm/storm.yaml"))
        self.assertIn("still run version", printed)
        self.inside("dpkg --remove eyewall")
        self.inside("test ! -e /usr/bin/storm; test ! -e /usr/share/eyewall/lib; grep -q '# mine' /etc/storm/storm.yaml; "
                    "test -e /var/lib/storm/state; test -e /usr/share/eyewall/extlib/mine.jar; getent passwd storm")
        self.install()
        self.assertIn("# mine", self.inside("tail -n 1 /etc/storm/storm.yaml"))
        self.inside("dpkg --purge eyewall")
        self.inside("test ! -e /etc/storm/storm.yaml; test ! -e /var/lib/storm; test ! -e /var/log/storm")

    def test_should_leave_directories_that_it_has_not_made(self):
        self.inside("mkdir /var/lib/storm; touch /var/lib/storm/of-another-storm")
        self.install()
        self.inside("dpkg --purge eyewall")
        self.inside("test -e /var/lib/storm/of-another-storm; test ! -e /var/log/storm")


if __name__ == "__main__":
    unittest.main()
