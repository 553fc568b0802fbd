package carillon.cli.local;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Spec;

/** Command {@code man}: writes the man page of the program, with all commands. */
@Command(
    name = "man",
    description = "Writes the man page of the program, in the form that man reads.",
    footerHeading = "%nExamples:%n",
    footer = {"  man -l <(carillon man)", "  carillon man > /usr/local/share/man/man1/carillon.1"})
public final class ManCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandSpec program = spec.root();
    PrintWriter out = spec.commandLine().getOut();
    page(program).forEach(out::println);
  }

  private static List<String> page(CommandSpec program) {
    List<String> page = new ArrayList<>();
    String version = program.version().length > 0 ? program.version()[0] : "Carillon";
    page.add(".TH CARILLON 1 \"\" \"" + escaped(version) + "\" \"User Commands\"");
    page.add(".SH NAME");
    page.add("carillon \\- schedules HTTP calls and queue puts");
    page.add(".SH SYNOPSIS");
    page.add(".B carillon");
    page.add("[\\fICOMMAND\\fR] [\\fIOPTION\\fR]...");
    page.add(".SH DESCRIPTION");
    paragraphs(page, program.usageMessage().description());
    page.add(".SH OPTIONS");
    arguments(page, program);
    page.add(".SH COMMANDS");
    commands(page, program);
    page.add(".SH EXIT STATUS");
    program
        .usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> item(page, "\\fB" + code + "\\fR", meaning));
    page.add(".SH SEE ALSO");
    page.add("The pages in src/docs of the source, and /docs on a running node.");
    return page;
  }

  private static void commands(List<String> page, CommandSpec parent) {
    new LinkedHashSet<>(parent.subcommands().values())
        .stream()
            .map(CommandLine::getCommandSpec)
            .filter(command -> !command.usageMessage().hidden())
            .forEach(
                command -> {
                  command(page, command);
                  commands(page, command);
                });
  }

  private static void command(List<String> page, CommandSpec command) {
    page.add(".SS " + escaped(command.qualifiedName()) + parameters(command));
    paragraphs(page, command.usageMessage().description());
    arguments(page, command);
    String[] examples = command.usageMessage().footer();
    if (examples.length > 0) {
      page.add(".PP");
      page.add(".EX");
      Stream.of(examples).map(ManCommand::escaped).forEach(page::add);
      page.add(".EE");
    }
  }

  private static String parameters(CommandSpec command) {
    return command.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .map(
            parameter ->
                parameter.arity().min() == 0
                    ? " [" + parameter.paramLabel() + "]"
                    : " " + parameter.paramLabel())
        .map(ManCommand::escaped)
        .collect(Collectors.joining());
  }

  private static void arguments(List<String> page, CommandSpec command) {
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      if (!parameter.hidden()) {
        item(page, "\\fI" + escaped(parameter.paramLabel()) + "\\fR", text(parameter));
      }
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden() && !option.usageHelp()) {
        String names =
            Stream.of(option.names())
                .map(name -> "\\fB" + escaped(name) + "\\fR")
                .collect(Collectors.joining(", "));
        String value =
            option.arity().max() > 0 ? " \\fI" + escaped(option.paramLabel()) + "\\fR" : "";
        item(page, names + value, text(option));
      }
    }
  }

  private static String text(ArgSpec argument) {
    return String.join(" ", argument.description())
        .replace("${COMPLETION-CANDIDATES}", candidates(argument));
  }

  private static String candidates(ArgSpec argument) {
    List<String> words = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(words::add);
    }
    return String.join(", ", words);
  }

  private static void item(List<String> page, String name, String meaning) {
    page.add(".TP");
    page.add(name);
    page.add(escaped(plain(meaning)));
  }

  private static void paragraphs(List<String> page, String... lines) {
    for (String line : lines) {
      page.add(".PP");
      page.add(escaped(plain(line)));
    }
  }

  /** Returns a help text without its format characters. */
  private static String plain(String text) {
    return text.replace("%n", " ").replace("%%", "%");
  }

  /** Escapes a text. A line that begins with '.' or an apostrophe would otherwise be a request. */
  private static String escaped(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    return safe.startsWith(".") ? "\\&" + safe : safe;
  }
}
