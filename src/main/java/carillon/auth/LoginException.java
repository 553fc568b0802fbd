package carillon.auth;

import java.time.Duration;

/** A request that does not prove who asks. Carries no stack trace: it is an answer. */
public final class LoginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final transient Duration retryAfter;

  /** How it fails. */
  public enum Kind {
    /** Nothing is shown. */
    MISSING,
    /** A session that is over, or never was. */
    ENDED,
    /** What is shown is not accepted. The message is for the log alone. */
    REFUSED,
    /** That, and too often from this address. */
    TOO_OFTEN,
    /** What is shown cannot be judged now. The message may be told. */
    UNAVAILABLE
  }

  private LoginException(Kind kind, String reason, Duration retryAfter) {
    super(reason, null, false, false);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  static LoginException missing() {
    return new LoginException(Kind.MISSING, "nothing was shown", Duration.ZERO);
  }

  static LoginException ended() {
    return new LoginException(Kind.ENDED, "the session is over", Duration.ZERO);
  }

  /** What is shown is not accepted; the reason never holds what was shown. */
  static LoginException refused(String reason) {
    return new LoginException(Kind.REFUSED, reason, Duration.ZERO);
  }

  /** Whether it is to be accepted cannot be found out now. */
  static LoginException unavailable(String reason, Duration retryAfter) {
    return new LoginException(Kind.UNAVAILABLE, reason, retryAfter);
  }

  LoginException tooOften(Duration retryAfter) {
    return new LoginException(Kind.TOO_OFTEN, getMessage(), retryAfter);
  }

  public Kind kind() {
    return kind;
  }

  /** How long to wait; zero where waiting does not help. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
