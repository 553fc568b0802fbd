package carillon.redis.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Redis client that sends one inline command on a separate connection: just enough of the protocol
 * to see a Redis start and to end it. Blocks.
 */
final class InlineRedisClient {
  private final Path socket;

  InlineRedisClient(Path socket) {
    this.socket = socket;
  }

  /** Whether a process listens on the socket (perhaps one that is too busy to answer). */
  boolean listening() {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Sends a command and returns the first line of the reply, for example {@code +PONG} or {@code
   * -LOADING ...}.
   *
   * @return empty when nothing listens, the connection ends without a reply, or the time is over
   */
  Optional<String> ask(String command, Duration timeout) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap((command + "\r\n").getBytes(StandardCharsets.US_ASCII)));
      return firstLine(channel, System.nanoTime() + timeout.toNanos());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> firstLine(SocketChannel channel, long deadline)
      throws IOException {
    ByteArrayOutputStream reply = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1024);
    try (Selector selector = Selector.open()) {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      while (waitForBytes(selector, deadline) && channel.read(buffer.clear()) >= 0) {
        reply.write(buffer.array(), 0, buffer.position());
        String text = reply.toString(StandardCharsets.UTF_8);
        int end = text.indexOf("\r\n");
        if (end >= 0) {
          return Optional.of(text.substring(0, end));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean waitForBytes(Selector selector, long deadline) throws IOException {
    long leftMs = (deadline - System.nanoTime()) / 1_000_000;
    return leftMs > 0 && selector.select(key -> {}, leftMs) > 0;
  }
}
