package io.eyewall.integration.cluster;

import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Gives all tests of a class one cluster, which starts before the first test and ends after the last:
 *
 * <pre>{@code
 *   @RegisterExtension
 *   static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(home, directory));
 * }</pre>
 *
 * <p>After a test or a {@code @BeforeAll} method that failed it prints where the logs are, and the problems that they report.
 */
public final class ClusterExtension
    implements BeforeAllCallback, AfterAllCallback, TestWatcher, LifecycleMethodExecutionExceptionHandler {

    private final Supplier<ClusterSpecification> specification;
    private final Function<ClusterSpecification, ProcessCluster> start;
    private ProcessCluster cluster;
    private boolean hasRun;

    /** Calls {@code specification} when the cluster starts, so that it may depend on what other extensions have started. */
    public ClusterExtension(Supplier<ClusterSpecification> specification) {
        this(specification, ProcessCluster::start);
    }

    ClusterExtension(Supplier<ClusterSpecification> specification, Function<ClusterSpecification, ProcessCluster> start) {
        this.specification = specification;
        this.start = start;
    }

    /** The running cluster; throws {@link IllegalStateException} outside of tests. */
    public ProcessCluster cluster() {
        if (cluster == null) {
            throw new IllegalStateException("The cluster runs during its class's tests only: register the extension in a static field.");
        }
        return cluster;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ClusterSpecification wanted = specification.get();
        if (hasRun) {
            // A test that fails runs once more, in the same process.
            ProcessCluster.deleteLeftovers(wanted);
        }
        hasRun = true;
        cluster = start.apply(wanted);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable cause) throws Throwable {
        testFailed(context, cause);
        throw cause;
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        if (cluster != null) {
            System.err.println(
                context.getDisplayName() + " failed. Logs of its cluster are in " + cluster.logs() + ".\n" + cluster.problems());
        }
    }
}
