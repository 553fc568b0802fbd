package carillon.dispatch;

/**
 * A call that cannot show its target who calls. The message is for the history and holds nothing
 * secret.
 */
final class AuthenticationFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean refused;

  AuthenticationFailure(String message) {
    this(message, false);
  }

  /**
   * A failure.
   *
   * @param refused whether asking again is of no use for a while
   */
  AuthenticationFailure(String message, boolean refused) {
    super(message, null, false, false);
    this.refused = refused;
  }

  boolean refused() {
    return refused;
  }
}
