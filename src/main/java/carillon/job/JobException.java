package carillon.job;

/**
 * Refusal of a request: the caller's to mend, or because the store is away. Carries no stack trace:
 * it is an answer, not a bug.
 */
public final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /**
   * A refusal or an absence.
   *
   * @param code what is wrong
   * @param message names the field, the value and the rule, fit for a client's eyes
   */
  public JobException(ErrorCode code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** A request that breaks a rule. */
  public static JobException invalid(String message) {
    return new JobException(ErrorCode.INVALID, message);
  }

  public ErrorCode code() {
    return code;
  }
}
