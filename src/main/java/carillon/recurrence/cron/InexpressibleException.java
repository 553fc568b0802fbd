package carillon.recurrence.cron;

/**
 * Refusal to say a schedule in another form, because that form cannot say exactly the same. The
 * message says why, as a clause after "because".
 */
public final class InexpressibleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InexpressibleException(String message) {
    super(message, null, false, false);
  }
}
