package carillon.secret;

/**
 * Failure to use a key, a sealed text or a certificate. The message says why, fit for an operator's
 * eyes, and holds nothing secret. Carries no cause: those of the platform may quote what they could
 * not read.
 */
public final class SecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Something that cannot be used.
   *
   * @param message why; holds nothing secret
   */
  public SecretException(String message) {
    super(message, null, false, false);
  }
}
