package carillon.cli.output;

/** Failure of a command: a message of one line for the user, and the exit code of the program. */
public final class CommandException extends RuntimeException {
  /** Exit code: the node refused, or not everything is done. */
  static final int REFUSED = 1;

  /** Exit code: wrong arguments, or a file that cannot be read. */
  static final int USAGE = 2;

  /** Exit code: no node answers, or it has no Redis at the moment. */
  public static final int UNREACHABLE = 3;

  private final int exitCode;

  private CommandException(int exitCode, String message) {
    super(message, null, false, false); // no stack trace: the message is for users
    this.exitCode = exitCode;
  }

  public static CommandException refused(String message) {
    return new CommandException(REFUSED, message);
  }

  public static CommandException usage(String message) {
    return new CommandException(USAGE, message);
  }

  public static CommandException unreachable(String message) {
    return new CommandException(UNREACHABLE, message);
  }

  /** The exit code of the program. */
  public int exitCode() {
    return exitCode;
  }
}
