package io.eyewall.client.command;

import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Runs the main class named by its first argument with the arguments that follow, on the thread that calls it.
 *
 * <p>A failure that {@link FailureExplainer} knows is explained in one line on standard error, and the process ends with exit code 1. A
 * failure of a topology's own code keeps its stack trace. With the system property {@value #DEBUG} every failure keeps it, and logging is
 * as upstream configures it; without the property the log of upstream's commands is reduced to their output.
 */
public final class Launcher {

    /** System property: {@code true} keeps stack traces and logging as upstream has them. */
    static final String DEBUG = "eyewall.command.debug";

    /** System property that upstream sets to the topology's jar: the main class is then a user's. */
    private static final String TOPOLOGY_JAR = "storm.jar";

    private static final String LOG_CONFIGURATION = "log4j.configurationFile";
    private static final String SUBMISSION_LOG = "classpath:io/eyewall/client/command/submission-log4j2.xml";
    private static final String[] LOG_CONFIGURATIONS_OF_THE_USER = {LOG_CONFIGURATION, "log4j2.configurationFile"};

    private final PrintStream errors;
    private final FailureExplainer explainer;
    /** Whether an explanation was already printed. */
    private final Predicate<String> printed;

    Launcher(PrintStream errors, FailureExplainer explainer, Predicate<String> printed) {
        this.errors = errors;
        this.explainer = explainer;
        this.printed = printed;
    }

    /**
     * Runs a main class and ends the process if that fails in a known way.
     *
     * @param arguments the main class, then its arguments
     * @throws Throwable what the main class threw, if that is not explained
     */
    public static void main(String[] arguments) throws Throwable {
        boolean userCode = System.getProperty(TOPOLOGY_JAR) != null;
        FailureExplainer explainer = new FailureExplainer(new ConfiguredCluster(), userCode);
        if (Boolean.getBoolean(DEBUG)) {
            run(arguments);
            return;
        }
        CommandLog log = new CommandLog(System.out, System.err, explainer);
        if (userCode) {
            quietSubmission();
        } else {
            log.install();
        }
        if (!new Launcher(System.err, explainer, log::hasPrinted).launch(arguments)) {
            System.exit(1);
        }
    }

    /**
     * Runs a main class.
     *
     * @return whether it returned; {@code false} when it failed and the failure has been explained
     */
    boolean launch(String[] arguments) throws Throwable {
        try {
            run(arguments);
            return true;
        } catch (Throwable failure) {
            Optional<String> explanation = explainer.explain(failure);
            if (explanation.isEmpty()) {
                throw failure;
            }
            if (!printed.test(explanation.get())) {
                errors.println("storm: " + explanation.get());
            }
            return false;
        }
    }

    private static void run(String[] arguments) throws Throwable {
        String className = arguments[0];
        Method main = mainMethod(className);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw withoutOwnFrames(e.getCause());
        }
    }

    /** Ends the stack trace at the main class, as if that had no caller. */
    private static Throwable withoutOwnFrames(Throwable failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        int end = frames.length;
        for (int i = 0; i < frames.length && end == frames.length; i++) {
            if (frames[i].getClassName().equals(Launcher.class.getName())) {
                end = i;
            }
        }
        while (end > 0 && end < frames.length && frames[end - 1].getClassName().contains(".reflect.")) {
            end--;
        }
        failure.setStackTrace(Arrays.copyOf(frames, end));
        return failure;
    }

    private static Method mainMethod(String className) {
        Class<?> mainClass;
        try {
            mainClass = Class.forName(className, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException e) {
            throw new UnusableMainClassException("no class " + className + " on the class path" + inJar()
                + ". Check its name, package included; `jar tf JAR` lists what a jar holds.", e);
        } catch (NoClassDefFoundError | UnsupportedClassVersionError e) {
            throw new UnusableMainClassException("cannot load " + className + inJar() + ": " + e.getMessage()
                + ". Write its full name as in the source, and build it for Java " + Runtime.version().feature() + " or older.", e);
        }
        try {
            Method main = mainClass.getMethod("main", String[].class);
            if (Modifier.isStatic(main.getModifiers())) {
                main.setAccessible(true);
                return main;
            }
        } catch (NoSuchMethodException e) {
            throw new UnusableMainClassException("class " + className + " has no public static void main(String[]). "
                + "Name the class that submits the topology.", e);
        }
        throw new UnusableMainClassException("the main method of " + className + " is not static. Name another class.", null);
    }

    private static String inJar() {
        String jar = System.getProperty(TOPOLOGY_JAR);
        return jar == null ? "" : " nor in " + jar;
    }

    /** Keeps upstream's log of a submission, without the stack traces of each Nimbus that did not answer. */
    private static void quietSubmission() {
        boolean chosenByUser = Arrays.stream(LOG_CONFIGURATIONS_OF_THE_USER).anyMatch(key -> System.getProperty(key) != null)
            || System.getenv("LOG4J_CONFIGURATION_FILE") != null;
        if (!chosenByUser) {
            System.setProperty(LOG_CONFIGURATION, SUBMISSION_LOG);
        }
    }
}
