package carillon.recurrence.cron;

/**
 * Refusal to convert a schedule to another form, because that form cannot express exactly the same.
 * The message gives the reason, as a clause after "because".
 */
public final class InexpressibleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InexpressibleException(String message) {
    super(message, null, false, false);
  }
}
