package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** The commands as somebody types them, in this JVM. */
public final class CarillonCommands {
  private final String url;

  public CarillonCommands(String url) {
    this.url = url;
  }

  /** What a command did. */
  public record Run(int code, String out, String err) {
    /** The same, if it is a success. */
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

  /** Types a command that speaks to the node. */
  public Run type(String... words) {
    return typeBare(withUrl(words));
  }

  /** Types a command on a terminal, and the answer to its question; null ends the input. */
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

  /** Types a command, and nothing else. */
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
