package carillon.dispatch;

import carillon.egress.EgressException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.UnrecoverableKeyException;
import javax.net.ssl.SSLException;

/**
 * Reason why no answer came, in one of a few fixed texts, so that the history tells neither more of
 * the network than that nor a class name.
 */
final class FailureCause {
  private static final String NO_CONNECTION = "no connection";

  private FailureCause() {}

  /** Whether it was for want of a connection that nothing was sent. */
  static boolean isNoConnection(Throwable failure) {
    return of(failure).equals(NO_CONNECTION);
  }

  static String of(Throwable failure) {
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
        return "the TLS handshake failed";
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
}
