package carillon.job.name;

import java.util.List;

/**
 * Refusal of a request, because the caller made a mistake or the store is unavailable. Has no stack
 * trace, since it is an answer and not a bug.
 */
public final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient List<Detail> details;

  /**
   * A single mistake in a request.
   *
   * @param message as a refusal for this alone would have it
   * @param target the field, such as {@code action.request.uri}; empty for the whole document
   */
  public record Detail(ErrorCode code, String message, String target) {}

  /**
   * A refusal or an absence.
   *
   * @param code what is wrong
   * @param message names the field, the value and the rule; shown to the client
   */
  public JobException(ErrorCode code, String message) {
    this(code, message, List.of());
  }

  /**
   * A refusal for more than one reason.
   *
   * @param message that of the first detail
   * @param details each reason; none if the message is the only one
   */
  public JobException(ErrorCode code, String message, List<Detail> details) {
    super(message, null, false, false);
    this.code = code;
    this.details = List.copyOf(details);
  }

  /** A request that breaks a rule. */
  public static JobException invalid(String message) {
    return new JobException(ErrorCode.INVALID, message);
  }

  public ErrorCode code() {
    return code;
  }

  /** Each reason, if there is more than one; empty otherwise. */
  public List<Detail> details() {
    return details;
  }
}
