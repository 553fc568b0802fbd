package carillon.dispatch.call;

import carillon.dispatch.egress.EgressException;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Reason why no answer came: in one of a few fixed texts, which the message of the history has, and
 * with the address and more of the cause for machines. Neither holds a class name or a text of a
 * library.
 */
public final class FailureCause {
  private static final String NO_CONNECTION = "no connection";
  private static final String NOT_TLS = "the target is not a TLS server";
  private static final String NOT_HTTP2 = "the answer is not valid: it breaks a rule of HTTP/2";

  private FailureCause() {}

  /** Whether it was for want of a connection that nothing was sent. */
  public static boolean isNoConnection(Throwable failure) {
    return of(failure).equals(NO_CONNECTION);
  }

  public static String of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthenticationException) {
        return cause.getMessage();
      }
      if (cause instanceof EgressException) {
        return cause.getMessage();
      }
      if (cause instanceof UnknownHostException) {
        return EgressException.MESSAGE_OF_NAME;
      }
      if (cause instanceof UnrecoverableKeyException) {
        return "the client certificate cannot be read";
      }
      if (cause instanceof SSLException) {
        return isPlain(cause) ? NOT_TLS : "the TLS handshake failed";
      }
      if (cause instanceof Http2Exception) {
        return NOT_HTTP2;
      }
      if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
        return NO_CONNECTION;
      }
    }
    String text = String.valueOf(failure.getMessage());
    return text.contains("timed out") || text.contains("timeout") || text.contains("unreachable")
        ? NO_CONNECTION
        : "the connection was closed";
  }

  /**
   * Classifies a failure for programs: its kind and its cause.
   *
   * @param target host and port
   */
  public static CallError error(Throwable failure, String target) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<CallError> known = known(cause, target);
      if (known.isPresent()) {
        return known.get();
      }
    }
    return of(failure).equals(NO_CONNECTION)
        ? new CallError(ErrorKind.TIMEOUT, "no connection to " + target + " in time")
        : new CallError(ErrorKind.CLOSED, "the connection to " + target + " was closed");
  }

  private static Optional<CallError> known(Throwable cause, String target) {
    if (cause instanceof AuthenticationException) {
      return error(ErrorKind.AUTHENTICATION, cause.getMessage());
    }
    if (cause instanceof EgressException) {
      boolean isName = EgressException.MESSAGE_OF_NAME.equals(cause.getMessage());
      return error(isName ? ErrorKind.DNS : ErrorKind.EGRESS, cause.getMessage());
    }
    if (cause instanceof UnknownHostException) {
      return error(ErrorKind.DNS, EgressException.MESSAGE_OF_NAME);
    }
    if (cause instanceof UnrecoverableKeyException) {
      return error(ErrorKind.AUTHENTICATION, "the client certificate cannot be read");
    }
    if (cause instanceof SSLException) {
      return error(ErrorKind.TLS, tls(cause, target));
    }
    if (cause instanceof Http2Exception) {
      return error(ErrorKind.ANSWER, NOT_HTTP2);
    }
    if (cause instanceof ConnectTimeoutException) {
      return error(ErrorKind.TIMEOUT, "no connection to " + target + " in time");
    }
    if (cause instanceof NoRouteToHostException) {
      return error(ErrorKind.UNREACHABLE, "no route to " + target);
    }
    if (cause instanceof ConnectException) {
      return String.valueOf(cause.getMessage()).contains("refused")
          ? error(ErrorKind.REFUSED, "connection refused by " + target)
          : error(ErrorKind.UNREACHABLE, "no connection to " + target);
    }
    return Optional.empty();
  }

  private static Optional<CallError> error(ErrorKind kind, String cause) {
    return Optional.of(new CallError(kind, cause));
  }

  private static boolean isPlain(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotSslRecordException) {
        return true;
      }
    }
    return false;
  }

  private static String tls(Throwable failure, String target) {
    if (isPlain(failure)) {
      return target + " is not a TLS server: its answer was not encrypted";
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException) {
        return "certificate: expired";
      }
      if (cause instanceof CertificateNotYetValidException) {
        return "certificate: not valid yet";
      }
      if (cause instanceof CertPathBuilderException) {
        return "certificate: self-signed or of an unknown authority, see dispatch.trustedCa";
      }
      if (cause instanceof CertificateException && cause.getCause() == null) {
        return "certificate: not of the host of " + target;
      }
    }
    return "the TLS handshake with " + target + " failed";
  }
}
