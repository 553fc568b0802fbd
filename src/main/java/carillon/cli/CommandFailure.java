package carillon.cli;

/** Why a command ends early: one line for whoever typed it, and the exit code of the program. */
public final class CommandFailure extends RuntimeException {
  /** The node refused, or not everything that was asked for is done. */
  static final int REFUSED = 1;

  /** Wrong arguments, or a file that cannot be read. */
  static final int USAGE = 2;

  /** No node answers, or it has no Redis at the moment. */
  static final int UNREACHABLE = 3;

  private final int exitCode;

  private CommandFailure(int exitCode, String message) {
    super(message, null, false, false); // it is a line for people, no defect
    this.exitCode = exitCode;
  }

  static CommandFailure refused(String message) {
    return new CommandFailure(REFUSED, message);
  }

  static CommandFailure usage(String message) {
    return new CommandFailure(USAGE, message);
  }

  static CommandFailure unreachable(String message) {
    return new CommandFailure(UNREACHABLE, message);
  }

  /** What the program is to end with. */
  public int exitCode() {
    return exitCode;
  }
}
