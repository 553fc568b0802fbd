package carillon.auth;

import java.time.Duration;

/** Failure to authenticate a request. Carries no stack trace: it is an answer. */
public final class LoginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final transient Duration retryAfter;

  /** Kinds of failure. */
  public enum Kind {
    /** The request has no credential. */
    MISSING,
    /** The session has ended, or never was. */
    ENDED,
    /** The credential is not accepted. The message is for the log alone. */
    REFUSED,
    /** A sign-in at the issuer has failed. The message may be answered. */
    DECLINED,
    /** The person signed in at the issuer, but has no rights here. The message may be answered. */
    WITHOUT_GRANT,
    /** A credential is not accepted, and too often from this address. */
    TOO_OFTEN,
    /** The credential cannot be checked now. The message may be answered. */
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

  /** Refusal of a credential; the reason never quotes it. */
  static LoginException refused(String reason) {
    return new LoginException(Kind.REFUSED, reason, Duration.ZERO);
  }

  /** Failure of a sign-in at the issuer; the reason quotes nothing from the request. */
  static LoginException declined(String reason) {
    return new LoginException(Kind.DECLINED, reason, Duration.ZERO);
  }

  /** Failure of a sign-in of a person without rights. */
  static LoginException withoutGrant(String name) {
    return new LoginException(
        Kind.WITHOUT_GRANT,
        "You are '"
            + name
            + "' at the issuer, who may do nothing here: no word of the roles claim is in"
            + " access.tokens.roles.",
        Duration.ZERO);
  }

  /** Failure to check a credential. */
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
