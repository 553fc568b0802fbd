package carillon.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Command {@code help}: shows the help of a command. */
@Command(
    name = "help",
    description = "Shows the help of a command, as --help after it does.",
    footerHeading = "%nExamples:%n",
    footer = "  carillon help jobs create")
public final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Default: the program.")
  private List<String> words = List.of();

  @Override
  public void run() {
    CommandLine command = spec.parent().commandLine();
    for (String word : words) {
      CommandLine asked = command;
      command = asked.getSubcommands().get(word);
      if (command == null) {
        throw new UnmatchedArgumentException(asked, List.of(word));
      }
    }
    command.usage(spec.commandLine().getOut());
  }
}
