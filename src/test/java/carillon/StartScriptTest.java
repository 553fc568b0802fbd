package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that the packages install, with a Java that only tells its options. */
class StartScriptTest {
  private static final String NO_TRAPS = "-XX:PerMethodTrapLimit=0";

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.copy(Path.of("src/package/carillon"), home.resolve("bin/carillon"));
    program("runtime/bin/java", "#!/bin/sh", "for option; do printf '%s\\n' \"$option\"; done");
  }

  @Test
  void aNodeCompilesWithoutTraps() throws Exception {
    assertTrue(options(Map.of()).contains(NO_TRAPS));
    assertTrue(options(Map.of(), "--port", "0").contains(NO_TRAPS));
    assertTrue(options(Map.of(), "train").contains(NO_TRAPS));
  }

  @Test
  void optionsOfTheOperatorStandInsteadOfOurs() throws Exception {
    List<String> options = options(Map.of("JAVA_OPTIONS", "-Xmx1g -XX:+UseG1GC"), "serve");
    assertEquals(
        List.of("-Xmx1g", "-XX:+UseG1GC", "-jar", home.resolve("carillon.jar").toString(), "serve"),
        options);
  }

  @Test
  void aCommandIsOverBeforeC2WouldHelp() throws Exception {
    List<String> options = options(Map.of("JAVA_OPTIONS", "-Xmx1g"), "jobs", "list");
    assertTrue(options.contains("-XX:TieredStopAtLevel=1"));
    assertFalse(options.contains("-Xmx1g"));
  }

  @Test
  void theCacheIsUsedWithTheCollectorThatItWasMadeWith() throws Exception {
    Files.createFile(home.resolve("carillon.aot"));
    List<String> options = options(Map.of());
    assertTrue(options.contains("-XX:AOTCache=" + home.resolve("carillon.aot")));
    assertTrue(options.contains("-XX:+UseSerialGC"));
  }

  @Test
  void onMoreThanTwoProcessorsJavaChoosesTheCollector() throws Exception {
    program("path/nproc", "#!/bin/sh", "echo 8");
    Map<String, String> eight = Map.of("PATH", home.resolve("path") + ":" + System.getenv("PATH"));
    assertFalse(options(eight).contains("-XX:+UseSerialGC"));
    program("path/nproc", "#!/bin/sh", "echo 2");
    assertTrue(options(eight).contains("-XX:+UseSerialGC"));
  }

  private void program(String path, String... lines) throws IOException {
    Path file = home.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private List<String> options(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder script = new ProcessBuilder("sh", home.resolve("bin/carillon").toString());
    script.command().addAll(List.of(arguments));
    script.environment().remove("JAVA_OPTIONS");
    script.environment().putAll(environment);
    Process process = script.redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), told);
    return told.lines().toList();
  }
}
