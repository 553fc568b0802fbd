package carillon.dispatch.egress;

/**
 * Refusal of a connection to a target by the policy. The message is for the history, and the same
 * for whatever the reason: it must not tell who may create jobs what there is inside the network.
 */
public final class EgressException extends RuntimeException {
  /** What the history says. */
  public static final String MESSAGE = "target address not allowed";

  /**
   * What it says of a host that is a name: whether there is no such name or its address is closed
   * would tell which names there are inside the network.
   */
  public static final String MESSAGE_OF_NAME =
      "the host name cannot be resolved, or its address is not allowed";

  private final transient String advice;

  /**
   * A refusal.
   *
   * @param advice for the operator, in the log only: what was refused, and which setting opens it
   */
  public EgressException(String advice) {
    this(MESSAGE, advice);
  }

  private EgressException(String message, String advice) {
    super(message, null, false, false);
    this.advice = advice;
  }

  /** None of the addresses that a name has. */
  static EgressException ofName(String advice) {
    return new EgressException(MESSAGE_OF_NAME, advice);
  }

  /** For the operator: what was refused, and which setting opens it. */
  public String advice() {
    return advice;
  }
}
