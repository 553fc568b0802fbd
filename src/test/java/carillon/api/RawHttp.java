package carillon.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Client that sends requests no correct client would send, and reads the answers. */
public final class RawHttp {
  private static final int PATIENCE_MS = 30_000;

  /** Writer of a request. */
  interface Request {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Everything received.
   *
   * @param closed whether the server closed the connection
   */
  record Reply(String text, boolean closed) {
    /** Returns the status of the first answer; 0 when there is none. */
    int status() {
      return text.startsWith("HTTP/1.1 ") ? Integer.parseInt(text.substring(9, 12)) : 0;
    }

    String body() {
      int end = text.indexOf("\r\n\r\n");
      return end < 0 ? "" : text.substring(end + 4);
    }
  }

  private RawHttp() {}

  /** Opens a connection with a read timeout of half a minute. */
  public static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  /** Writes while it reads: a server may answer before it has read everything. */
  static Reply exchange(int port, Request request) {
    try (Socket socket = connect(port)) {
      new Thread(() -> write(socket, request)).start(); // ends when the socket is closed
      return read(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Socket socket, Request request) {
    try {
      request.writeTo(socket.getOutputStream());
      socket.getOutputStream().flush();
    } catch (IOException e) {
      // The server has stopped reading; the other thread reads its answer.
    }
  }

  private static Reply read(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean closed = true;
    try {
      in.transferTo(bytes);
    } catch (SocketTimeoutException e) {
      closed = false;
    } catch (SocketException e) {
      // Reset by a server that closed with unread bytes.
    }
    return new Reply(bytes.toString(StandardCharsets.UTF_8), closed);
  }

  /** Sends the whole text and closes the connection before the answer. */
  static void sendAndLeave(int port, String text) {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
