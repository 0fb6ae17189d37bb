package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.EvaluationResult;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Within every module, no packages depend on each other in a circle. Looks at the classes that the modules were compiled to; needs no
 * cluster.
 */
class PackageCyclesTest {

    private static final Path ROOT = Path.of("../..");
    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");

    /** Every package is a slice of its own. */
    private static final class EachPackage implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass one) {
            return SliceIdentifier.of(one.getPackageName());
        }

        @Override
        public String getDescription() {
            return "each package";
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void shouldHaveNoCircleOfPackages(String module) {
        EvaluationResult result = SlicesRuleDefinition.slices().assignedFrom(new EachPackage()).should().beFreeOfCycles()
            .evaluate(classes(module));

        assertFalse(result.hasViolation(), () -> result.getFailureReport().toString());
    }

    /** The modules of the build that have classes. */
    static Stream<String> modules() throws IOException {
        return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml"))).results()
            .map(match -> match.group(1))
            .filter(module -> Files.isDirectory(sources(module)));
    }

    /** The classes of a module that have a source there: two modules also unpack classes of upstream's. */
    private static JavaClasses classes(String module) {
        Path directory = ROOT.resolve(module).resolve("target/classes").toAbsolutePath().normalize();
        assertTrue(Files.isDirectory(directory), () -> directory + " is missing: build the whole project, as bin/test does.");
        return new ClassFileImporter().withImportOption(location -> hasSource(module, directory, location)).importPath(directory);
    }

    private static boolean hasSource(String module, Path directory, Location location) {
        String name = directory.relativize(Path.of(location.asURI())).toString();
        return Files.exists(sources(module).resolve(name.replaceFirst("(\\$.*)?\\.class$", ".java")));
    }

    private static Path sources(String module) {
        return ROOT.resolve(module).resolve("src/main/java");
    }
}
