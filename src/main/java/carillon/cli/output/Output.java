package carillon.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Output of a command: a table for people, or documents for programs; its help ends with examples.
 */
@Command(footerHeading = "%nExamples:%n")
public final class Output {
  /** Forms of the output. */
  enum Format {
    table,
    wide,
    json,
    yaml,
    name
  }

  /** Form of instants in a table. */
  enum Times {
    absolute,
    relative
  }

  /** Begins the title of a column that only a wide table has. */
  static final String WIDE = "+";

  private static final String HOME = "\u001b[H";
  private static final String TO_END_OF_LINE = "\u001b[K\n";
  private static final String TO_END_OF_SCREEN = "\u001b[J";
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @Option(
      names = {"-o", "--format"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES}. Default: table. json prints one object per line.")
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

  private final Supplier<Terminal> where;

  private Terminal terminal;
  private TextTable table;

  /** Text that is drawn on the terminal in one round of a watch; null otherwise. */
  private StringWriter screen;

  private PrintWriter drawn;

  /** Lines that the last round of a watch and this one have shown; null without a watch. */
  private Set<String> shownBefore;

  private Set<String> shownNow;
  private List<String> titles = List.of();

  Output() {
    this(Terminal::current);
  }

  /**
   * Creates an output.
   *
   * @param where supplies its terminal; called once, on first use
   */
  Output(Supplier<Terminal> where) {
    this.where = where;
  }

  private Format format() {
    return json ? Format.json : format;
  }

  /** True where people read it, and not a program. */
  public boolean isForPeople() {
    return isTable();
  }

  private boolean isTable() {
    return format() == Format.table || format() == Format.wide;
  }

  private Terminal terminal() {
    if (terminal == null) {
      terminal = where.get();
    }
    return terminal;
  }

  /**
   * Begins a table with these titles. Titles that begin with {@link #WIDE} are only for a wide one.
   */
  public void columns(String... all) {
    titles = List.of(all);
    if (shownNow != null && screen == null && table != null) {
      return; // a watch continues below the titles
    }
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
  public void row(JsonNode item, List<String> cells) {
    int name = Math.max(0, titles.indexOf("job"));
    if (document(item, cells.get(name))) {
      return;
    }
    if (!isNew(String.join("\0", cells))) {
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
  public boolean document(JsonNode item, String name) {
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

  /**
   * Prints the result for an item: its document with the outcome, or in words.
   *
   * @param item fields that identify the item
   * @param more text after the outcome for people
   */
  public void done(ObjectNode item, String name, String outcome, String more) {
    if (!document(item.put("outcome", outcome), name)) {
      line(name + " " + outcome + more);
    }
  }

  private void yaml(JsonNode item) {
    try {
      String text = YAML.writeValueAsString(item);
      if (isNew(text)) {
        out().print(text);
      }
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the cell of an instant, absolute or relative to now. */
  public String time(String instant) {
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
   * Shows the available rows immediately, if more come later.
   *
   * @return whether standard output is still read
   */
  public boolean flush() {
    if (isTable()) {
      table.print(out());
    }
    return isOpen();
  }

  /** Ends a table. */
  public void end() {
    if (isTable()) {
      table.print(out());
    }
    check();
  }

  /** Prints a line to standard output. */
  public void line(String text) {
    if (isNew(text)) {
      out().println(text);
    }
  }

  /** Whether a watch that appends did not show this text in its last round. */
  private boolean isNew(String text) {
    if (shownNow == null) {
      return true;
    }
    shownNow.add(text);
    return !shownBefore.contains(text);
  }

  /** Begins a round of a watch: the output up to its end is drawn or appended. */
  public void beginRound(Duration pause) {
    if (isTable() && terminal().canRedraw()) {
      screen = new StringWriter();
      drawn = new PrintWriter(screen);
      String now = InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS).toString();
      drawn.println(now + ", every " + TextTable.duration(pause) + "; Ctrl-C ends");
    } else {
      shownBefore = shownNow == null ? Set.of() : shownNow;
      shownNow = new HashSet<>();
    }
  }

  /**
   * Ends a round of a watch.
   *
   * @param failure why not all is shown
   * @param isNewFailure whether the failure was not reported yet
   */
  public void endRound(Optional<String> failure, boolean isNewFailure) {
    if (screen != null) {
      failure.ifPresent(drawn::println);
      drawn.flush();
      String text = screen.toString();
      screen = null;
      draw(text.lines().toList());
      return;
    }
    if (failure.isPresent()) {
      shownNow.addAll(shownBefore);
      if (isNewFailure) {
        note("carillon: " + failure.get() + "; still trying");
      }
    }
    out().flush();
  }

  /** Draws lines from the upper left corner over the old contents, as far as they fit. */
  private void draw(List<String> lines) {
    int room = terminal().height() - 1;
    boolean isCut = lines.size() > room;
    StringBuilder all = new StringBuilder(HOME);
    int drawnLines = isCut ? Math.max(1, room - 1) : lines.size();
    lines.stream().limit(drawnLines).forEach(line -> all.append(line).append(TO_END_OF_LINE));
    if (isCut) {
      all.append("… ").append(lines.size() - drawnLines).append(" more").append(TO_END_OF_LINE);
    }
    out().print(all.append(TO_END_OF_SCREEN));
    out().flush();
  }

  /** Prints a line to standard error. */
  public void note(String text) {
    command.commandLine().getErr().println(text);
  }

  PrintWriter out() {
    return screen != null ? drawn : command.commandLine().getOut();
  }

  /** True as long as standard output is read: {@code | head} closes it early. */
  public boolean isOpen() {
    return screen != null || !out().checkError();
  }

  private void check() {
    if (!isOpen()) {
      throw CommandException.refused("standard output cannot be written");
    }
  }
}
