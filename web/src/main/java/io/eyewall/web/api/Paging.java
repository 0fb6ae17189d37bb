package io.eyewall.web.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Shows a part of a long list: {@code size} rows, the {@code page} of that size from 1 on, after those without the text {@code filter} are
 * left out and the rest is in the order of the field {@code sort}, or backwards with a minus before it. Without these parameters an answer
 * stays as it is. Pure.
 */
final class Paging {

    /** The parameters. */
    static final List<String> PARAMETERS = List.of("page", "size", "sort", "filter");

    private static final int MAX_ROWS = 1_000;
    private static final int MAX_PAGES = 1_000_000;
    private static final String USUAL_ROWS = "20";
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?");
    private static final Comparator<Keyed> BY_KEY = Comparator.comparing(Keyed::key, SortKey.ORDER);

    private Paging() {
    }

    /** The same answers, with a part of the list of that name if a request wants it. */
    static Handler of(String list, Handler whole) {
        return (nimbus, asked) -> {
            Object answer = whole.handle(nimbus, asked);
            return answer instanceof Map<?, ?> json && PARAMETERS.stream().anyMatch(asked.query()::containsKey)
                ? part(json, list, asked.query()) : answer;
        };
    }

    /** The answer with a part of its list. */
    static Map<String, Object> part(Map<?, ?> answer, String list, Map<String, String> query) throws HttpException {
        int size = Parameters.whole("size", query.getOrDefault("size", USUAL_ROWS), 1, MAX_ROWS);
        int page = Parameters.whole("page", query.getOrDefault("page", "1"), 1, MAX_PAGES);
        String filter = query.getOrDefault("filter", "").toLowerCase(Locale.ROOT);
        List<Map<?, ?>> rows = new ArrayList<>();
        Set<String> fields = new LinkedHashSet<>();
        for (Object each : answer.get(list) instanceof List<?> all ? all : List.of()) {
            Map<?, ?> row = (Map<?, ?>) each;
            row.keySet().forEach(field -> fields.add(String.valueOf(field)));
            if (row.values().stream().filter(Objects::nonNull)
                    .anyMatch(value -> String.valueOf(value).toLowerCase(Locale.ROOT).contains(filter))) {
                rows.add(row);
            }
        }
        sort(rows, fields, query.getOrDefault("sort", ""));
        Map<String, Object> json = new LinkedHashMap<>();
        answer.forEach((key, value) -> json.put(String.valueOf(key), value));
        int from = (int) Math.min(rows.size(), (page - 1L) * size);
        json.put(list, rows.subList(from, Math.min(rows.size(), from + size)));
        json.put("page", page);
        json.put("size", size);
        json.put("total", rows.size());
        return json;
    }

    private static void sort(List<Map<?, ?>> rows, Set<String> fields, String sort) throws HttpException {
        String field = sort.startsWith("-") ? sort.substring(1) : sort;
        if (field.isEmpty() || fields.isEmpty()) {
            return;
        }
        if (!fields.contains(field)) {
            throw HttpException.badRequest("sort is " + Parameters.shown(sort) + ". Use one of " + String.join(", ", fields)
                + ", with a - before it to begin with the last.");
        }
        // Each value is read once: the rows of a large cluster are compared a hundred thousand times.
        List<Keyed> keyed = new ArrayList<>(rows.size());
        rows.forEach(row -> keyed.add(new Keyed(SortKey.of(row.get(field)), row)));
        keyed.sort(sort.startsWith("-") ? BY_KEY.reversed() : BY_KEY);
        rows.clear();
        keyed.forEach(each -> rows.add(each.row));
    }

    private record Keyed(SortKey key, Map<?, ?> row) {
    }

    /** A value to sort by: {@code number} is null unless it is one, also in a string; both are null if there is no value. */
    private record SortKey(Double number, String text) {

        /** No value first, then numbers by their size, then texts whatever their case. */
        private static final Comparator<SortKey> ORDER = Comparator.comparingInt(SortKey::rank)
            .thenComparing(SortKey::number, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(SortKey::text, Comparator.nullsFirst(String.CASE_INSENSITIVE_ORDER));

        private static SortKey of(Object value) {
            if (value == null) {
                return new SortKey(null, null);
            }
            String text = String.valueOf(value);
            boolean isNumber = value instanceof Number || NUMBER.matcher(text).matches();
            return isNumber ? new SortKey(Double.valueOf(text), null) : new SortKey(null, text);
        }

        private int rank() {
            return number != null ? 1 : text != null ? 2 : 0;
        }
    }
}
