package carillon.cli.output;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Terminal, file or pipe that standard output is written to.
 *
 * @param isInteractive whether a person reads it
 * @param width in characters; practically unbounded if no person reads it
 * @param height in lines
 * @param hasColors whether colors are understood and wanted
 * @param canRedraw whether the cursor can be moved
 */
public record Terminal(
    boolean isInteractive, int width, int height, boolean hasColors, boolean canRedraw) {
  private static final Set<String> YES = Set.of("y", "yes");
  private static final int UNBOUNDED = Integer.MAX_VALUE;
  private static final int STTY_TIMEOUT_MS = 500;
  private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,3}) ([1-9]\\d{0,3})\\s*");
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");

  /** A file or a pipe: nothing is cut, no colors. */
  static final Terminal NONE = new Terminal(false, UNBOUNDED, UNBOUNDED, false, false);

  private record Size(int height, int width) {}

  /**
   * Confirmation of an irreversible or large operation: {@code --yes}, or the answer of the user at
   * the terminal.
   */
  public static final class Confirmation {
    @Option(names = "--yes", description = "Does not ask for confirmation; scripts need it.")
    private boolean isGiven;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private final BooleanSupplier isAsked;
    private final Supplier<String> answer;

    Confirmation() {
      this(() -> Terminal.current().isInteractive(), () -> System.console().readLine());
    }

    /**
     * A confirmation.
     *
     * @param isAsked whether a person can be asked
     * @param answer the line that they type; null at the end of the input
     */
    public Confirmation(BooleanSupplier isAsked, Supplier<String> answer) {
      this.isAsked = isAsked;
      this.answer = answer;
    }

    /**
     * Fails without a confirmation.
     *
     * @param question supplies the question, only if a person is asked
     */
    public void require(Supplier<String> question) {
      if (isGiven) {
        return;
      }
      if (!isAsked.getAsBoolean()) {
        throw CommandException.usage("there is no terminal to ask for confirmation; give --yes");
      }
      PrintWriter out = command.commandLine().getErr();
      out.print(question.get() + " [y/N] ");
      out.flush();
      String typed = answer.get();
      if (typed == null || !YES.contains(typed.strip().toLowerCase(Locale.ROOT))) {
        throw CommandException.refused("not confirmed, nothing is done");
      }
    }
  }

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

  /** Whether there is a terminal. From Java 22 on a console can exist without one. */
  @SuppressWarnings("SystemConsoleNull") // only newer versions return a console without a terminal
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
