package io.eyewall.core.security;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of classes in what Kryo has written, found without reading an object. Kryo writes a class without a number as a byte 1, the
 * number of the name in this object, and the name in ASCII, whose last character has its highest bit set. Something else may look like
 * that by accident; nothing is missed except names that are not in ASCII.
 */
final class WrittenClasses {

    private static final Pattern NAME = Pattern.compile("\\[*(L?)((?:[A-Za-z_][\\w$]*\\.)+[A-Za-z_][\\w$]*)(;?)");
    private static final int LAST = 0x80;

    private WrittenClasses() {
    }

    /** The classes that the bytes name; of an array, that of its elements. */
    static Set<String> in(byte[] written) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i + 2 < written.length; i++) {
            if (written[i] == 1) {
                int start = i + 1;
                while (start < written.length && (written[start] & LAST) != 0) {
                    start++; // The number of the name may have several bytes.
                }
                add(names, written, start + 1);
            }
        }
        return names;
    }

    private static void add(Set<String> names, byte[] written, int start) {
        for (int end = start; end < written.length; end++) {
            if ((written[end] & LAST) != 0) {
                byte[] text = Arrays.copyOfRange(written, start, end + 1);
                text[end - start] &= (byte) ~LAST;
                Matcher name = NAME.matcher(new String(text, StandardCharsets.US_ASCII));
                if (name.matches() && name.group(1).isEmpty() == name.group(3).isEmpty()) {
                    names.add(name.group(2));
                }
                return;
            }
        }
    }
}
