package carillon.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Proxy in front of a Redis that changes replies. It forwards the commands of a connection one
 * after the other and knows the reply to each. Thread-safe.
 */
public final class RespProxy implements AutoCloseable {
  /** Forwards each reply unchanged. */
  public static final Tamper NONE = (command, genuine) -> genuine.get();

  private final int target;
  private final ServerSocket server;
  private final AtomicInteger connections = new AtomicInteger();
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private volatile Tamper tamper = NONE;

  /** Change of replies; called by the threads of several connections. */
  @FunctionalInterface
  public interface Tamper {
    /**
     * Returns the bytes for the client, as ISO 8859-1.
     *
     * @param command its name, in upper case
     * @param genuine has Redis perform the command and returns its reply
     */
    String reply(String command, Supplier<String> genuine);
  }

  /** Starts a proxy on a free port in front of a port of this machine. */
  public RespProxy(int target) {
    this.target = target;
    try {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  public URI uri() {
    return URI.create("redis://127.0.0.1:" + server.getLocalPort());
  }

  /** Returns the number of connections so far. */
  public int connections() {
    return connections.get();
  }

  /** Sets the change of later replies, on existing connections as well. */
  public void tamper(Tamper other) {
    tamper = other;
  }

  /** Closes all connections. New connections are accepted. */
  public void cut() {
    clients.forEach(RespProxy::close);
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }

  private static void close(Socket client) {
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void daemon(Runnable step) {
    Thread thread = new Thread(step, "resp-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        connections.incrementAndGet();
        clients.add(client);
        daemon(() -> serve(client));
      }
    } catch (IOException closed) {
      // the test is over
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), target)) {
      InputStream commands = new BufferedInputStream(client.getInputStream());
      InputStream replies = new BufferedInputStream(redis.getInputStream());
      while (true) {
        String raw = next(commands);
        List<String> command = raw.lines().filter(line -> !line.matches("[*$]\\d+")).toList();
        String name = command.get(0).toUpperCase(Locale.ROOT);
        String reply = tamper.reply(name, () -> performed(redis, replies, raw));
        client.getOutputStream().write(reply.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException | UncheckedIOException gone) {
      // either side has closed
    } finally {
      clients.remove(client);
    }
  }

  private static String performed(Socket redis, InputStream replies, String command) {
    try {
      redis.getOutputStream().write(command.getBytes(StandardCharsets.ISO_8859_1));
      return next(replies);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the next complete RESP3 value. */
  private static String next(InputStream in) throws IOException {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    long left = 1;
    while (left > 0) {
      left += copy(in, value) - 1;
    }
    return value.toString(StandardCharsets.ISO_8859_1);
  }

  /** Copies one element. Returns the number of its child elements. */
  private static long copy(InputStream in, ByteArrayOutputStream to) throws IOException {
    String line = line(in);
    to.writeBytes((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    return switch (line.charAt(0)) {
      case '$', '=', '!' -> {
        int length = Integer.parseInt(line.substring(1));
        if (length >= 0) {
          to.writeBytes(in.readNBytes(length + 2));
        }
        yield 0;
      }
      case '*', '~', '>' -> Math.max(0, Long.parseLong(line.substring(1)));
      case '%' -> 2 * Long.parseLong(line.substring(1));
      default -> 0;
    };
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next != '\r') {
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
      next = in.read();
    }
    in.read();
    return line.toString();
  }
}
