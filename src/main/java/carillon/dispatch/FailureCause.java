package carillon.dispatch;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.UnrecoverableKeyException;
import javax.net.ssl.SSLException;

/**
 * Names why no answer came, in a few fixed words, so that the history tells neither more of the
 * network than that nor a class name.
 */
final class FailureCause {
  private FailureCause() {}

  static String of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthenticationFailure) {
        return cause.getMessage();
      }
      if (cause instanceof UnknownHostException) {
        return "the host name cannot be resolved";
      }
      if (cause instanceof UnrecoverableKeyException) {
        return "the client certificate cannot be read";
      }
      if (cause instanceof SSLException) {
        return "the TLS handshake failed";
      }
      if (cause instanceof ConnectException) {
        return "no connection";
      }
    }
    String text = String.valueOf(failure.getMessage());
    return text.contains("timed out") || text.contains("timeout")
        ? "no connection"
        : "the connection was closed";
  }
}
