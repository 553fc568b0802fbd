package carillon.dispatch;

/**
 * A call that cannot show its target who calls. The message is for the history and holds nothing
 * secret.
 */
final class AuthenticationFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AuthenticationFailure(String message) {
    super(message, null, false, false);
  }
}
