package carillon.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code completion}: writes a completion script for bash or zsh. */
@Command(
    name = "completion",
    aliases = "generate-completion",
    description = "Writes the script by which bash or zsh completes commands and options.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(carillon completion bash)         # in ~/.bashrc",
      "  source <(carillon completion zsh)          # in ~/.zshrc",
      "  carillon completion bash > /etc/bash_completion.d/carillon"
    })
public final class CompletionCommand implements Runnable {
  /** Shells that the script is for: it is one script, which looks for itself where it runs. */
  enum Shell {
    bash,
    zsh
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "${COMPLETION-CANDIDATES}. Default: bash.")
  @SuppressWarnings(
      "UnusedVariable") // the script is the same; a shell that it is not for is refused
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine()
        .getOut()
        .println(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
  }
}
