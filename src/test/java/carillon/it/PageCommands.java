package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Commands shown on a page, which tests run unchanged. */
final class PageCommands {
  private static final Path PAGES = Path.of("src/docs");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\n(.*?)^```$");
  private static final int PATIENCE_SECONDS = 300;

  private PageCommands() {}

  /** Returns the blocks of commands of a page, in order. */
  static List<String> of(String page) {
    return BLOCK.matcher(text(page)).results().map(block -> block.group(1)).toList();
  }

  static String text(String page) {
    try {
      return Files.readString(PAGES.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs commands in a directory; asserts that each succeeds. */
  static void run(Path dir, String commands) throws IOException, InterruptedException {
    Path out = Files.createTempFile(dir, "commands", ".log");
    Process shell =
        new ProcessBuilder("bash", "-euxo", "pipefail", "-c", commands)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertTrue(shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "the commands end");
      assertEquals(0, shell.exitValue(), Files.readString(out));
    } finally {
      shell.destroyForcibly();
    }
  }
}
