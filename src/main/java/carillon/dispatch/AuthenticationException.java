package carillon.dispatch;

/**
 * Failure to authenticate a call: it cannot show its target who calls. The message is for the
 * history and holds nothing secret.
 */
final class AuthenticationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean refused;

  AuthenticationException(String message) {
    this(message, false);
  }

  /**
   * A failure.
   *
   * @param refused whether asking again is of no use for a while
   */
  AuthenticationException(String message, boolean refused) {
    super(message, null, false, false);
    this.refused = refused;
  }

  boolean refused() {
    return refused;
  }
}
