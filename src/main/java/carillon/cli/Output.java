package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Output of a command: a table for people, or JSON for programs; its help ends with examples. */
@Command(footerHeading = "%nExamples:%n")
final class Output {
  @Option(names = "--json", description = "Prints one JSON object in a line for each item.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  private TextTable table;

  boolean isJson() {
    return json;
  }

  /** Begins a table with these titles; ignored for JSON. */
  void columns(String... titles) {
    table = new TextTable(titles);
  }

  /** Prints an item as a row or as JSON. */
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
