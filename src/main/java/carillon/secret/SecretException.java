package carillon.secret;

/**
 * Failure to use a key, a sealed text or a certificate. The message has the reason for the
 * operator, and no secret. It has no cause, because exceptions of the platform may quote unreadable
 * input.
 */
public final class SecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure.
   *
   * @param message reason, without secrets
   */
  public SecretException(String message) {
    super(message, null, false, false);
  }
}
