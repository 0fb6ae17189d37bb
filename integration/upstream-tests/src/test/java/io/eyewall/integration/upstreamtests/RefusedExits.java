package io.eyewall.integration.upstreamtests;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import org.apache.storm.utils.Utils;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets {@link Utils#exitProcess} throw in the JVMs of upstream's tests, instead of ending the JVM. A Supervisor of a local cluster ends its
 * process when a topology is killed while the Supervisor still fetches the topology's files. In a test, that would end the run: the JVM has
 * no report then, and no outcome to compare. JUnit finds this listener by its service file.
 */
public final class RefusedExits implements TestExecutionListener {

    private boolean installed;

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        if (!installed) {
            ByteBuddyAgent.install();
            new ByteBuddy().redefine(Utils.class).visit(Advice.to(Refusal.class).on(named("exitProcess"))).make()
                .load(Utils.class.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
            installed = true;
        }
    }

    /** What {@link Utils#exitProcess} does first. */
    private static final class Refusal {

        private Refusal() {
        }

        @Advice.OnMethodEnter
        private static void refuse(@Advice.Argument(0) int status, @Advice.Argument(1) String message) {
            throw new IllegalStateException("A test is not to end its JVM with status " + status + ": " + message);
        }
    }
}
