package carillon.load;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A command of the rig: picocli reads its options, and what is wrong with them is one line. */
public final class Program {
  /** Of lines of help, characters. */
  private static final int WIDTH = 120;

  private Program() {}

  /** The command line of a command, or of options, that picocli's annotations describe. */
  public static CommandLine commandLine(Object options) {
    return new CommandLine(options)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(WIDTH)
        .setParameterExceptionHandler((wrong, arguments) -> refuse(wrong));
  }

  private static int refuse(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    command
        .getErr()
        .println(command.getCommandName() + ": " + wrong.getMessage() + " (see --help)");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
