package carillon.load;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Command of the rig. picocli reads its options and reports an error in them in one line. */
public final class Program {
  /** Maximum width of help lines, in characters. */
  private static final int WIDTH = 120;

  private Program() {}

  /** Returns the command line of a command, or of options, described by picocli annotations. */
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
