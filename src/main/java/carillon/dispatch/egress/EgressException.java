package carillon.dispatch.egress;

/**
 * Refusal of a connection to a target by the policy. The message goes into the history, and is the
 * same for every reason. It must not reveal the inside of the network to people who may create
 * jobs.
 */
public final class EgressException extends RuntimeException {
  /** Message in the history. */
  public static final String MESSAGE = "target address not allowed";

  /**
   * Message in the history for a host that is a name. It does not say whether the name is unknown
   * or its address is closed, which would reveal the names inside the network.
   */
  public static final String MESSAGE_OF_NAME =
      "the host name cannot be resolved, or its address is not allowed";

  private final transient String advice;

  /**
   * Creates a refusal.
   *
   * @param advice for the operator, in the log only: the refused target, and the setting that
   *     allows it
   */
  public EgressException(String advice) {
    this(MESSAGE, advice);
  }

  private EgressException(String message, String advice) {
    super(message, null, false, false);
    this.advice = advice;
  }

  /** Creates a refusal of all addresses of a name. */
  static EgressException ofName(String advice) {
    return new EgressException(MESSAGE_OF_NAME, advice);
  }

  /** Returns the advice for the operator: the refused address, and the setting that opens it. */
  public String advice() {
    return advice;
  }
}
