package io.eyewall.client.deadline;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the messages of one spout get. Immutable.
 *
 * @param ofStreamsMs the target of each stream that the spout declares, in milliseconds, by stream; 0 with shares
 * @param othersMs the target of streams and spouts without one, in milliseconds; 0 with shares
 * @param tokensPerSec how many messages of an executor are urgent, per second, and 0 for all; with shares, the share of an executor, and 0
 *     for the smallest
 */
public record SpoutTargets(Map<String, Long> ofStreamsMs, long othersMs, long tokensPerSec) {

    /** The same with one target for all messages, and no tokens. */
    SpoutTargets withTarget(long targetMs) {
        Map<String, Long> targets =
            ofStreamsMs.keySet().stream().collect(Collectors.toUnmodifiableMap(Function.identity(), stream -> targetMs));
        return new SpoutTargets(targets, targetMs, 0);
    }

    /** The targets of all streams, in milliseconds. */
    Stream<Long> all() {
        return ofStreamsMs.values().stream();
    }

    private String inWords(long targetMs) {
        return targetMs + " ms" + (targetMs == othersMs ? " (" + DeadlineConfiguration.OTHERS + ")" : "");
    }

    /** The targets and tokens in words, such as {@code 20 ms for 500 messages/s of each executor}. */
    String targetsInWords() {
        String targets = all().distinct().count() == 1 ? inWords(all().findFirst().orElseThrow()) : new TreeMap<>(ofStreamsMs).entrySet()
            .stream().map(stream -> inWords(stream.getValue()) + " in " + stream.getKey()).collect(Collectors.joining(" and "));
        return targets + (tokensPerSec == 0 ? "" : " for " + tokensPerSec + " messages/s of each executor");
    }
}
