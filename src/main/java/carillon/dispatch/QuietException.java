package carillon.dispatch;

/**
 * A failure as the log may have it: its class and where it was thrown, without its message, which
 * may quote a secret.
 */
final class QuietException extends Exception {
  private final String kind;

  private QuietException(Throwable failure) {
    super(null, failure.getCause() == null ? null : of(failure.getCause()), false, true);
    this.kind = failure.getClass().getName();
    setStackTrace(failure.getStackTrace());
  }

  static QuietException of(Throwable failure) {
    return new QuietException(failure);
  }

  /** The class of the failure alone: stack traces begin with it. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return kind;
  }
}
