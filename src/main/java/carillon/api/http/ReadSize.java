package carillon.api.http;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * How many bytes of a connection are read at one time. What is decoded of one read is work that
 * nothing can come between: a connection that sends many small things is read in small pieces, one
 * that sends large bodies in larger ones. Confined to the event loop of its connection.
 */
final class ReadSize extends DefaultMaxMessagesRecvByteBufAllocator {
  private static final int MIN = 256;
  private static final int FIRST = 2048;
  private static final int MAX = 8192;

  /** Messages of one read beyond which the next is smaller. */
  private static final int MANY = 16;

  private int size = FIRST;
  private int decoded;

  ReadSize() {
    super(1);
  }

  /** A request, or a piece of one, came out of what was read. */
  void decoded() {
    decoded++;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new Reads();
  }

  private final class Reads extends MaxMessageHandle {
    @Override
    public int guess() {
      return size;
    }

    @Override
    public void readComplete() {
      if (decoded > MANY) {
        size = Math.max(MIN, size / 2);
      } else if (totalBytesRead() >= size) {
        size = Math.min(MAX, size * 2);
      }
      decoded = 0;
    }
  }
}
