package carillon.dispatch.call;

/**
 * Failure to authenticate a call: it cannot show its target who calls. The message is for the
 * history and holds nothing secret.
 */
public final class AuthenticationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean refused;

  public AuthenticationException(String message) {
    this(message, false);
  }

  /**
   * A failure.
   *
   * @param refused whether asking again is of no use for a while
   */
  public AuthenticationException(String message, boolean refused) {
    super(message, null, false, false);
    this.refused = refused;
  }

  public boolean refused() {
    return refused;
  }
}
