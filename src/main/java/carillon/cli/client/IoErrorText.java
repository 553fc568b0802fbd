package carillon.cli.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import javax.net.ssl.SSLException;

/** Messages for failures to use a file or a node. */
public final class IoErrorText {
  private IoErrorText() {}

  public static String of(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "it exists already";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof CharacterCodingException) {
      return "it is not UTF-8";
    }
    return inNetwork(e);
  }

  private static String inNetwork(IOException e) {
    if (e instanceof HttpTimeoutException) {
      return "no answer in time";
    }
    if (e instanceof UnknownHostException || isUnresolved(e)) {
      return "the host name is unknown";
    }
    if (e instanceof ConnectException) {
      return "connection refused";
    }
    if (e instanceof SSLException) {
      return "TLS: " + e.getMessage();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** The client wraps it in exceptions of the same kind. */
  private static boolean isUnresolved(Throwable e) {
    return e != null && (e instanceof UnresolvedAddressException || isUnresolved(e.getCause()));
  }
}
