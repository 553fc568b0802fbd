package carillon.egress;

/**
 * The policy allows no connection to a target. The message is for the history, and the same for
 * whatever the reason: it must not tell who may create jobs what there is inside the network.
 */
public final class EgressRefusal extends RuntimeException {
  /** What the history says. */
  public static final String MESSAGE = "target address not allowed";

  private final transient String advice;

  /**
   * A refusal.
   *
   * @param advice for the operator, in the log only: what was refused, and which setting opens it
   */
  public EgressRefusal(String advice) {
    super(MESSAGE, null, false, false);
    this.advice = advice;
  }

  /** For the operator: what was refused, and which setting opens it. */
  public String advice() {
    return advice;
  }
}
