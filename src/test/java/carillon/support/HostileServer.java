package carillon.support;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** A target that attacks its callers, in the same way on each connection. Thread-safe. */
public final class HostileServer implements AutoCloseable {
  private static final Buffer ZEROS = zeros();

  private final Vertx vertx = Vertx.vertx();
  private final Kind kind;
  private final NetServer server;
  private final AtomicInteger connections = new AtomicInteger();

  /** Kind of answer to a request. */
  public enum Kind {
    /** Never answers. */
    SILENT,
    /** Does not even read the request. */
    DEAF,
    /** Sends one byte every 200 ms. */
    TRICKLE,
    /** Resets the connection. */
    RESET,
    /** Never ends its headers. */
    HEADERS,
    /** Says "100 Continue" forever. */
    CONTINUE,
    /** Sends an endless body. Each KiB of it unpacks to a MiB of zeros. */
    BOMB;

    /** Whether an attempt at this target counts as a success, because it answers 200. */
    public boolean answers() {
      return this == BOMB;
    }
  }

  public HostileServer(Kind kind) {
    this.kind = kind;
    // No lingering: closing resets.
    NetServerOptions options = new NetServerOptions().setSoLinger(0);
    server =
        Await.result(
            vertx.createNetServer(options).connectHandler(this::connected).listen(0, "127.0.0.1"));
  }

  public String url() {
    return "http://127.0.0.1:" + server.actualPort() + "/" + kind;
  }

  /** Returns the number of connections so far. */
  public int connections() {
    return connections.get();
  }

  private void connected(NetSocket socket) {
    connections.incrementAndGet();
    socket.exceptionHandler(gone -> {});
    if (kind == Kind.DEAF) {
      socket.pause();
    } else {
      socket.handler(request -> harm(socket));
    }
  }

  private void harm(NetSocket socket) {
    socket.handler(more -> {});
    switch (kind) {
      case SILENT, DEAF -> {}
      case TRICKLE -> {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        repeat(socket, Buffer.buffer("1\r\nx\r\n"), 200);
      }
      case RESET -> socket.close();
      case HEADERS -> {
        socket.write("HTTP/1.1 200 OK\r\n");
        repeat(socket, Buffer.buffer("X-More: " + "x".repeat(1000) + "\r\n"), 1);
      }
      case CONTINUE -> repeat(socket, Buffer.buffer("HTTP/1.1 100 Continue\r\n\r\n"), 200);
      case BOMB -> {
        socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
        repeat(socket, ZEROS, 1);
      }
    }
  }

  /** Sends the bytes repeatedly for as long as the caller accepts them. */
  private void repeat(NetSocket socket, Buffer bytes, long pause) {
    socket
        .write(bytes)
        .onSuccess(written -> vertx.setTimer(pause, id -> repeat(socket, bytes, pause)));
  }

  private static Buffer zeros() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(new byte[8 << 20]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Buffer.buffer(bytes.toByteArray());
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
