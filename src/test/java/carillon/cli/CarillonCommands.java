package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.Main;
import carillon.cli.output.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** Runs commands of the command line in this JVM. */
public final class CarillonCommands {
  private final String url;

  public CarillonCommands(String url) {
    this.url = url;
  }

  /** Result of a command. */
  public record Run(int code, String out, String err) {
    /** Asserts success and returns this result. */
    public Run ok() {
      assertEquals(0, code, () -> out + err);
      return this;
    }

    public void assertOut(String... parts) {
      List.of(parts).forEach(part -> assertTrue(out.contains(part), out));
    }

    public void assertErr(String... parts) {
      List.of(parts).forEach(part -> assertTrue(err.contains(part), err));
    }

    public List<String> lines() {
      return out.lines().toList();
    }
  }

  /** Runs a command with the URL of the node. */
  public Run type(String... words) {
    return typeBare(withUrl(words));
  }

  /** Runs a command on a terminal, with an answer to its question; null ends the input. */
  Run typeAnswering(String answer, String... words) {
    CommandLine.IFactory made = CommandLine.defaultFactory();
    CommandLine.IFactory factory =
        new CommandLine.IFactory() {
          @Override
          public <K> K create(Class<K> type) throws Exception {
            return type == Terminal.Confirmation.class
                ? type.cast(new Terminal.Confirmation(() -> true, () -> answer))
                : made.create(type);
          }
        };
    return execute(Main.commandLine(factory), withUrl(words));
  }

  private String[] withUrl(String... words) {
    String[] all = java.util.Arrays.copyOf(words, words.length + 1);
    all[words.length] = "--url=" + url;
    return all;
  }

  /** Runs a command without further options. */
  public static Run typeBare(String... words) {
    return execute(Main.commandLine(), words);
  }

  private static Run execute(CommandLine line, String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err, true)).execute(words);
    return new Run(code, out.toString(), err.toString());
  }
}
