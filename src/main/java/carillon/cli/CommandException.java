package carillon.cli;

/** Why a command ends early: one line for whoever typed it, and the exit code of the program. */
public final class CommandException extends RuntimeException {
  /** The node refused, or not everything that was asked for is done. */
  static final int REFUSED = 1;

  /** Wrong arguments, or a file that cannot be read. */
  static final int USAGE = 2;

  /** No node answers, or it has no Redis at the moment. */
  static final int UNREACHABLE = 3;

  private final int exitCode;

  private CommandException(int exitCode, String message) {
    super(message, null, false, false); // it is a line for people, no defect
    this.exitCode = exitCode;
  }

  static CommandException refused(String message) {
    return new CommandException(REFUSED, message);
  }

  static CommandException usage(String message) {
    return new CommandException(USAGE, message);
  }

  static CommandException unreachable(String message) {
    return new CommandException(UNREACHABLE, message);
  }

  /** What the program is to end with. */
  public int exitCode() {
    return exitCode;
  }
}
