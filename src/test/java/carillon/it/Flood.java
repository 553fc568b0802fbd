package carillon.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Hostile client with many connections, which reopens closed ones. It reopens them one by one, so
 * that a small machine has time for other work.
 */
final class Flood implements AutoCloseable {
  private static final int SMALL = 4096;

  private final InetSocketAddress target;
  private final InetSocketAddress source;
  private final Kind kind;
  private final byte[] bytes;
  private final List<Stream> streams = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "flood");
  private volatile boolean isOver;

  /** Data sent on each connection. */
  enum Kind {
    /** Answers that are not read, followed by as many requests as the server accepts. */
    PIPELINING(
        300,
        false,
        pipelined(),
        240 * "GET /console/style.css HTTP/1.1\r\nHost: h\r\n\r\n".length()),
    /** Endless small requests, whose answers are not read. */
    REQUESTS(900, false, "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n".repeat(400), 0),
    /** Endless body in chunks of one byte. */
    CHUNKS(900, false, Kind.CHUNKED + "1\r\n \r\n".repeat(2000), Kind.CHUNKED.length()),
    /** No data. */
    SILENCE(10_050, true, "", 0),
    /** Body without its end. */
    BODIES(
        2600,
        true,
        "PUT /jobcollections/default/jobs/flood HTTP/1.1\r\nHost: localhost\r\nContent-Length: 262144\r\n\r\n"
            + " ".repeat(262_000),
        -1);

    private static final String CHUNKED =
        "PUT /jobcollections/default/jobs/flood HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final int connections;
    private final boolean reads;
    private final String text;
    private final int repeatedFrom;

    Kind(int connections, boolean reads, String text, int repeatedFrom) {
      this.connections = connections;
      this.reads = reads;
      this.text = text;
      this.repeatedFrom = repeatedFrom;
    }

    /** A request that consists only of headers takes many times its size on the heap. */
    private static String pipelined() {
      return "GET /console/style.css HTTP/1.1\r\nHost: h\r\n\r\n".repeat(240)
          + "GET / HTTP/1.1\r\nHost: h\r\n"
          + "a:b\r\n".repeat(1550)
          + "\r\n";
    }
  }

  private static final class Stream {
    private SocketChannel channel;
    private int sent;
  }

  /**
   * Starts the flood immediately.
   *
   * @param source source address of the connections
   */
  Flood(Kind kind, URI target, String source) {
    this.kind = kind;
    this.bytes = kind.text.getBytes(StandardCharsets.US_ASCII);
    this.target = new InetSocketAddress(target.getHost(), target.getPort());
    this.source = new InetSocketAddress(source, 0);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!isOver) {
      if (streams.size() < kind.connections) {
        streams.add(new Stream());
        push(streams.get(streams.size() - 1));
      } else {
        streams.stream().filter(stream -> stream.channel != null).forEach(this::push);
        streams.stream().filter(stream -> stream.channel == null).findAny().ifPresent(this::push);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
    streams.forEach(Flood::close);
  }

  private void push(Stream stream) {
    try {
      if (stream.channel == null) {
        stream.channel = connected();
        stream.sent = 0;
      }
      if (kind.reads && stream.channel.read(ByteBuffer.allocate(SMALL)) < 0) {
        close(stream);
        return;
      }
      stream.sent +=
          stream.channel.write(ByteBuffer.wrap(bytes, stream.sent, bytes.length - stream.sent));
      if (stream.sent == bytes.length && kind.repeatedFrom >= 0) {
        stream.sent = kind.repeatedFrom;
      }
    } catch (IOException e) {
      close(stream); // refused, or reset by the server
    }
  }

  private SocketChannel connected() throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
    channel.bind(source);
    channel.connect(target);
    channel.configureBlocking(false);
    return channel;
  }

  private static void close(Stream stream) {
    try {
      if (stream.channel != null) {
        stream.channel.close();
        stream.channel = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    isOver = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
