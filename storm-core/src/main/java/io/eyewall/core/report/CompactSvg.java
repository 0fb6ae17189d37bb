package io.eyewall.core.report;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes an SVG of VectorGraphics2D with a third of its characters: coordinates in hundredths of a pixel instead of 15 decimals, a curve as
 * one polyline instead of a line for each segment, and no paths without a point. A dashed curve looks better, too, since its pattern does
 * not begin again in each segment. Expects one element in a line, which is how VectorGraphics2D writes.
 */
final class CompactSvg {

    private static final Pattern DECIMALS = Pattern.compile("-?\\d+\\.\\d{3,}");
    private static final Pattern LINE =
        Pattern.compile("\\s*<line style=\"([^\"]*)\" x1=\"([^\"]*)\" x2=\"([^\"]*)\" y1=\"([^\"]*)\" y2=\"([^\"]*)\"/>");
    private static final String EMPTY_PATH = "<path d=\"\"";

    private final StringBuilder written = new StringBuilder();
    /** The style and the last point of the polyline that is being written; null if none is. */
    private String style;
    private String end;

    private CompactSvg() {
    }

    /** The same picture in fewer characters. */
    static String of(String svg) {
        CompactSvg compact = new CompactSvg();
        String rounded = DECIMALS.matcher(svg).replaceAll(number -> rounded(number.group()));
        rounded.lines().forEach(compact::add);
        compact.endPolyline();
        return compact.written.toString();
    }

    private void add(String element) {
        Matcher line = LINE.matcher(element);
        if (line.matches()) {
            String from = line.group(2) + ',' + line.group(4);
            if (!from.equals(end) || !line.group(1).equals(style)) {
                endPolyline();
                style = line.group(1);
                written.append("<polyline style=\"").append(style).append("\" points=\"").append(from);
            }
            end = line.group(3) + ',' + line.group(5);
            written.append(' ').append(end);
        } else if (!element.contains(EMPTY_PATH)) {
            endPolyline();
            written.append(element.strip()).append('\n');
        }
    }

    private void endPolyline() {
        if (end != null) {
            written.append("\"/>\n");
            end = null;
        }
    }

    private static String rounded(String number) {
        return String.format(Locale.ROOT, "%.2f", Double.parseDouble(number)).replaceFirst("\\.?0+$", "").replaceFirst("^-0$", "0");
    }
}
