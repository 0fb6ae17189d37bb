package io.eyewall.core.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.intermediate.CommandSequence;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javax.imageio.ImageIO;

/**
 * Writes panels below each other into one picture.
 */
public final class PlotFile {

    /** A part of the picture, as wide as it; painted with its upper left corner at the origin. */
    public record Panel(int height, Consumer<Graphics2D> painter) {
    }

    /** PNG pixels per unit: sharp on today's screens and on paper. */
    private static final int PNG_SCALE = 2;

    private final Path file;

    /**
     * Names the picture to write.
     *
     * @throws IllegalArgumentException if its name ends neither in {@code .svg} nor in {@code .png}
     */
    public PlotFile(Path file) {
        this.file = file;
        if (!isSvg() && !file.toString().endsWith(".png")) {
            throw new IllegalArgumentException(file + ": the name of a plot must end in .svg or .png");
        }
    }

    /**
     * Writes the panels, each {@code width} wide, from top to bottom.
     *
     * @throws IOException if the file cannot be written, or the JDK has no fonts
     */
    public void write(int width, List<Panel> panels) throws IOException {
        requireFonts();
        int height = panels.stream().mapToInt(Panel::height).sum();
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        if (isSvg()) {
            VectorGraphics2D graphics = new VectorGraphics2D();
            paint(panels, graphics, width, height);
            CommandSequence commands = graphics.getCommands();
            ByteArrayOutputStream svg = new ByteArrayOutputStream();
            new SVGProcessor().getDocument(commands, new PageSize(width, height)).writeTo(svg);
            Files.writeString(file, CompactSvg.of(svg.toString(StandardCharsets.UTF_8)));
        } else {
            BufferedImage image = new BufferedImage(width * PNG_SCALE, height * PNG_SCALE, BufferedImage.TYPE_INT_RGB);
            Graphics2D graphics = image.createGraphics();
            graphics.scale(PNG_SCALE, PNG_SCALE);
            paint(panels, graphics, width, height);
            graphics.dispose();
            try (OutputStream out = Files.newOutputStream(file)) {
                ImageIO.write(image, "png", out);
            }
        }
    }

    /** A JDK without any font fails in many ways, none of which says what to do. */
    private static void requireFonts() throws IOException {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 12).getStringBounds("0", new FontRenderContext(null, true, true));
        } catch (RuntimeException | LinkageError | InternalError e) {
            throw new IOException("cannot draw, the JDK finds no fonts (" + e + "): apt-get install fontconfig fonts-dejavu-core", e);
        }
    }

    private boolean isSvg() {
        return file.toString().endsWith(".svg");
    }

    private static void paint(List<Panel> panels, Graphics2D graphics, int width, int height) {
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        for (Panel panel : panels) {
            panel.painter().accept(graphics);
            graphics.translate(0, panel.height());
        }
    }
}
