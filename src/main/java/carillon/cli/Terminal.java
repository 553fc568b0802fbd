package carillon.cli;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What standard output is written to.
 *
 * @param isInteractive whether a person reads it
 * @param width in characters; as good as unbounded where nobody looks
 * @param height in lines
 * @param hasColors whether colors are understood and wanted
 * @param canRedraw whether the cursor can be moved
 */
record Terminal(
    boolean isInteractive, int width, int height, boolean hasColors, boolean canRedraw) {
  private static final int UNBOUNDED = Integer.MAX_VALUE;
  private static final int STTY_TIMEOUT_MS = 500;
  private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,3}) ([1-9]\\d{0,3})\\s*");
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");

  /** A file or a pipe: nothing is cut, no colors. */
  static final Terminal NONE = new Terminal(false, UNBOUNDED, UNBOUNDED, false, false);

  private record Size(int height, int width) {}

  /**
   * The terminal of this process, if it has one. {@code NO_COLOR}, {@code COLUMNS} and {@code
   * LINES} count.
   */
  static Terminal current() {
    if (!isTerminal()) {
      return NONE;
    }
    String noColor = System.getenv("NO_COLOR");
    boolean isDumb = "dumb".equals(System.getenv("TERM"));
    Size asked = asked();
    return new Terminal(
        true,
        given("COLUMNS", asked.width),
        given("LINES", asked.height),
        (noColor == null || noColor.isEmpty()) && !isDumb,
        !isDumb);
  }

  /** From Java 22 on there is a console without a terminal, too. */
  @SuppressWarnings("SystemConsoleNull") // before that there is none
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  private static int given(String variable, int otherwise) {
    String given = System.getenv(variable);
    return given != null && NUMBER.matcher(given).matches() ? Integer.parseInt(given) : otherwise;
  }

  private static Size asked() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      if (stty.waitFor(STTY_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        Matcher found = SIZE.matcher(size);
        return found.matches()
            ? new Size(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)))
            : new Size(UNBOUNDED, UNBOUNDED);
      }
      stty.destroyForcibly();
    } catch (IOException e) {
      // no stty here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Size(UNBOUNDED, UNBOUNDED);
  }
}
