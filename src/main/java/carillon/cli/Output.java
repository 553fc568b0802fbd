package carillon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Output of a command: a table for people, or documents for programs; its help ends with examples.
 */
@Command(footerHeading = "%nExamples:%n")
final class Output {
  /** The forms of what is printed. */
  enum Format {
    table,
    wide,
    json,
    yaml,
    name
  }

  /** How instants are shown in a table. */
  enum Times {
    absolute,
    relative
  }

  /** Begins the title of a column that only a wide table has. */
  static final String WIDE = "+";

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @Option(
      names = {"-o", "--format"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "${COMPLETION-CANDIDATES}. Default: table; json is one object in a line for each item.")
  private Format format;

  @Option(names = "--json", description = "The same as -o json.")
  private boolean json;

  @Option(
      names = "--times",
      paramLabel = "FORM",
      description = "absolute or relative (3m ago). Default: relative in a table on a terminal.")
  private Times times;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  private Terminal terminal;
  private TextTable table;
  private List<String> titles = List.of();

  private Format format() {
    return json ? Format.json : format;
  }

  /** True where people read it, and not a program. */
  boolean isForPeople() {
    return isTable();
  }

  private boolean isTable() {
    return format() == Format.table || format() == Format.wide;
  }

  private Terminal terminal() {
    if (terminal == null) {
      terminal = Terminal.current();
    }
    return terminal;
  }

  /** Begins a table with these titles; those that begin with {@link #WIDE} are for a wide one. */
  void columns(String... all) {
    titles = List.of(all);
    List<String> shown = shown(titles).stream().map(title -> title.replace(WIDE, "")).toList();
    Terminal place = format() == Format.wide ? Terminal.NONE : terminal();
    table = new TextTable(shown, place.width(), terminal().hasColors());
  }

  private List<String> shown(List<String> cells) {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < titles.size(); i++) {
      if (format() == Format.wide || !titles.get(i).startsWith(WIDE)) {
        shown.add(cells.get(i));
      }
    }
    return shown;
  }

  /** Prints an item as a row, or as a document. */
  void row(JsonNode item, List<String> cells) {
    int name = Math.max(0, titles.indexOf("job"));
    if (document(item, cells.get(name))) {
      return;
    }
    table.add(shown(cells));
    if (table.isFull()) {
      table.print(out());
    }
  }

  /**
   * Prints an item where programs read it.
   *
   * @return false where people do, who have not been shown anything yet
   */
  boolean document(JsonNode item, String name) {
    switch (format()) {
      case json -> line(Json.compact(item));
      case yaml -> yaml(item);
      case name -> line(name);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void yaml(JsonNode item) {
    try {
      out().print(YAML.writeValueAsString(item));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cell of an instant: as it is, or how far it is from now. */
  String time(String instant) {
    boolean isRelative = times == null ? terminal().isInteractive() : times == Times.relative;
    if (!isRelative || instant.isEmpty()) {
      return instant;
    }
    try {
      Duration ago = Duration.between(Instant.parse(instant), InstantSource.system().instant());
      return ago.isNegative()
          ? "in " + TextTable.unit(ago.negated())
          : TextTable.unit(ago) + " ago";
    } catch (DateTimeException e) {
      return instant;
    }
  }

  /**
   * Shows the rows that there are at once, where more come later.
   *
   * @return whether standard output is still read
   */
  boolean flush() {
    if (isTable()) {
      table.print(out());
    }
    return isOpen();
  }

  /** Ends a table. */
  void end() {
    if (isTable()) {
      table.print(out());
    }
    check();
  }

  /** Prints a line to standard output. */
  void line(String text) {
    out().println(text);
  }

  /** Prints a line to standard error. */
  void note(String text) {
    command.commandLine().getErr().println(text);
  }

  PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** True as long as standard output is read: {@code | head} closes it early. */
  boolean isOpen() {
    return !out().checkError();
  }

  private void check() {
    if (!isOpen()) {
      throw CommandException.refused("standard output cannot be written");
    }
  }
}
