package carillon.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code generate-completion}: writes a completion script for bash and zsh. */
@Command(
    name = "generate-completion",
    description = "Writes the script by which bash and zsh complete commands and options.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(carillon generate-completion)",
      "  carillon generate-completion > /etc/bash_completion.d/carillon"
    })
public final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine()
        .getOut()
        .println(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
  }
}
