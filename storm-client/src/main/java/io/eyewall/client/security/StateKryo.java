package io.eyewall.client.security;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.serializers.ClosureSerializer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;

/**
 * The Kryo of a topology's state, which instantiates no class that the topology does not expect in its state: whoever can write to the
 * store could choose any on the class path with upstream's. Classes that are registered have numbers in the data, as with upstream.
 * Expected ones have names, so that what upstream has written stays readable once its classes are expected. Not safe for several threads,
 * as any Kryo.
 */
public final class StateKryo extends Kryo {

    private static final String ANY = "*";
    private static final String PACKAGE_END = ".*";

    // What neither executes code when it is read nor compares or hashes anything that could.
    private static final Set<String> USUAL = Set.of(
        "java.math.BigDecimal", "java.math.BigInteger", "java.time.Duration", "java.time.Instant", "java.time.LocalDate",
        "java.time.LocalDateTime", "java.time.LocalTime", "java.time.ZonedDateTime", "java.util.ArrayDeque", "java.util.ArrayList",
        "java.util.Arrays$ArrayList", "java.util.BitSet", "java.util.Collections$EmptyList", "java.util.Collections$EmptyMap",
        "java.util.Collections$EmptySet", "java.util.Collections$SingletonList", "java.util.Collections$SingletonMap",
        "java.util.Collections$SingletonSet", "java.util.Date", "java.util.EnumMap", "java.util.HashMap", "java.util.HashSet",
        "java.util.ImmutableCollections$List12", "java.util.ImmutableCollections$ListN", "java.util.ImmutableCollections$Map1",
        "java.util.ImmutableCollections$MapN", "java.util.ImmutableCollections$Set12", "java.util.ImmutableCollections$SetN",
        "java.util.JumboEnumSet", "java.util.LinkedHashMap", "java.util.LinkedHashSet", "java.util.LinkedList", "java.util.Optional",
        "java.util.PriorityQueue", "java.util.RegularEnumSet", "java.util.TreeMap", "java.util.TreeSet",
        "java.util.UUID", "java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentLinkedQueue",
        "java.util.concurrent.atomic.AtomicInteger", "java.util.concurrent.atomic.AtomicLong", "java.lang.Object",
        "org.apache.storm.spout.CheckPointState", "org.apache.storm.spout.CheckPointState$State", "org.apache.storm.streams.Pair",
        // What bolts with windows keep.
        "org.apache.storm.topology.StatefulWindowedBoltExecutor$TaskStream",
        "org.apache.storm.topology.StatefulWindowedBoltExecutor$WindowState", "org.apache.storm.tuple.Values",
        "org.apache.storm.windowing.DefaultEvictionContext", "org.apache.storm.windowing.EventImpl",
        "org.apache.storm.windowing.WaterMarkEvent", "org.apache.storm.windowing.persistence.WindowState$WindowPartition");
    private static final List<String> USUAL_PACKAGES = List.of("org.apache.storm.streams.tuple.");

    private final Set<String> names;
    private final List<String> packages;
    private final boolean anything;

    /** A Kryo for the usual classes and these. */
    public StateKryo(List<String> stateClasses) {
        names = Set.copyOf(stateClasses);
        packages = stateClasses.stream().filter(name -> name.endsWith(PACKAGE_END)).map(name -> name.substring(0, name.length() - 1))
            .toList();
        anything = names.contains(ANY);
    }

    /**
     * That of a class that the topology expects. Kryo must not be told that it requires registration: it would not write the names of
     * classes again in the next object.
     *
     * @throws IllegalArgumentException names the class that is not expected, and the remedy
     */
    @Override
    @SuppressWarnings("rawtypes")
    public Registration getRegistration(Class type) {
        Class<?> declared = declared(type);
        Registration known = getClassResolver().getRegistration(declared);
        if (known != null) {
            return known;
        }
        if (!isExpected(declared)) {
            throw new IllegalArgumentException(refusal(type));
        }
        return super.getRegistration(type);
    }

    /** The class that stands for this one in Kryo's registrations: that of an enum for its constants with bodies, and the like. */
    private Class<?> declared(Class<?> type) {
        if (Enum.class.isAssignableFrom(type) && type != Enum.class && !type.isEnum()) {
            return type.getSuperclass();
        }
        if (Proxy.isProxyClass(type)) {
            return InvocationHandler.class;
        }
        return isClosure(type) ? ClosureSerializer.Closure.class : type;
    }

    private static String refusal(Class<?> type) {
        return "The class " + type.getName() + " is not among those that the topology's state may hold. If the topology uses it there, add"
            + " it to the list " + SecurityConfiguration.STATE_CLASSES + " in the topology's configuration. If not, somebody else has"
            + " written to the store of the state.";
    }

    private boolean isExpected(Class<?> type) {
        if (type.isArray()) {
            Class<?> element = type.getComponentType();
            return element.isPrimitive() || getClassResolver().getRegistration(element) != null || isExpected(element);
        }
        return isExpected(type.getName());
    }

    /** Whether objects of a class of this name are read that has no number. */
    public boolean isExpected(String name) {
        return anything || USUAL.contains(name) || names.contains(name) || isIn(USUAL_PACKAGES, name) || isIn(packages, name);
    }

    private static boolean isIn(List<String> packages, String name) {
        return packages.stream().anyMatch(name::startsWith);
    }
}
