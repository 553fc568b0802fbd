package carillon.load;

import io.vertx.core.buffer.Buffer;
import java.util.Locale;
import java.util.Optional;

/**
 * Parser of HTTP/1.1 responses, one at a time. It supports only responses with a Content-Length or
 * without a body. The load therefore takes little of the processors that it shares with the
 * measured program.
 */
final class HttpResponseParser {
  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final String LENGTH = "\r\ncontent-length:";
  private static final int NO_CONTENT = 204;

  private Buffer received = Buffer.buffer();

  /**
   * Complete response.
   *
   * @param bytes head and body
   * @param bodyAt index of the first byte of the body
   */
  record Response(int status, Buffer bytes, int bodyAt) {
    boolean isSuccess() {
      return status / 100 == 2;
    }

    String body() {
      return bytes.getString(bodyAt, bytes.length());
    }

    @Override
    public String toString() {
      return status + ": " + body();
    }
  }

  /** Adds received bytes. Returns the response when they complete it. */
  Optional<Response> add(Buffer chunk) {
    Buffer all = received.length() == 0 ? chunk : received.appendBuffer(chunk);
    Optional<Response> response = read(all);
    received = response.isPresent() ? Buffer.buffer() : all.copy();
    return response;
  }

  private static Optional<Response> read(Buffer all) {
    int bodyAt = endOfHead(all);
    if (bodyAt < 0) {
      return Optional.empty();
    }
    String head = all.getString(0, bodyAt, "ISO-8859-1");
    int status = Integer.parseInt(head, STATUS_AT, STATUS_AT + 3, 10);
    int end = bodyAt + (status == NO_CONTENT ? 0 : contentLength(head));
    if (all.length() > end) {
      throw new IllegalStateException("more was answered than Content-Length says: " + head);
    }
    return all.length() == end ? Optional.of(new Response(status, all, bodyAt)) : Optional.empty();
  }

  /** Returns the index of the body, or -1 when the head is not complete. */
  private static int endOfHead(Buffer all) {
    for (int i = 3; i < all.length(); i++) {
      if (all.getByte(i) == '\n'
          && all.getByte(i - 1) == '\r'
          && all.getByte(i - 2) == '\n'
          && all.getByte(i - 3) == '\r') {
        return i + 1;
      }
    }
    return -1;
  }

  private static int contentLength(String head) {
    int at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
    if (at < 0) {
      throw new IllegalStateException(
          "an answer without Content-Length is not understood: " + head);
    }
    int from = at + LENGTH.length();
    return Integer.parseInt(head.substring(from, head.indexOf('\r', from)).trim());
  }
}
