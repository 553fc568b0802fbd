package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints: a table for people, or JSON for programs. */
final class Output {
  @Option(names = "--json", description = "Prints one JSON object in a line for each item.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  private TextTable table;

  boolean isJson() {
    return json;
  }

  /** Begins a table; with JSON nothing is said of columns. */
  void columns(String... titles) {
    table = new TextTable(titles);
  }

  /** An item of a table. */
  void row(JsonNode item, List<String> cells) {
    if (json) {
      line(Json.compact(item));
      return;
    }
    table.add(cells);
    if (table.isFull()) {
      table.print(out());
    }
  }

  /** Ends a table. */
  void end() {
    if (!json) {
      table.print(out());
    }
    check();
  }

  /** A line, for whoever reads. */
  void line(String text) {
    out().println(text);
  }

  /** A word to people only, where they look for trouble. */
  void note(String text) {
    command.commandLine().getErr().println(text);
  }

  PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Whether somebody still reads: {@code | head} does not for long. */
  boolean isOpen() {
    return !out().checkError();
  }

  private void check() {
    if (!isOpen()) {
      throw CommandException.refused("standard output cannot be written");
    }
  }
}
