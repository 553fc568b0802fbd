package carillon.auth;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Id of a request, which finds its answer in the log: the client's own id, or a new one. The answer
 * keeps it, as a header.
 */
public final class RequestId {
  /** The header, of requests and answers. */
  public static final String HEADER = "X-Request-Id";

  private static final CharSequence NAME = HttpHeaders.createOptimized(HEADER);
  private static final int MAX_LENGTH = 128;
  private static final String PUNCTUATION = "-._~:/+=@";

  private RequestId() {}

  /** The id of a request; from the first call on its answer has it. */
  public static String of(HttpServerRequest request) {
    MultiMap answer = request.response().headers();
    String known = answer.get(NAME);
    if (known != null) {
      return known;
    }
    String sent = request.getHeader(NAME);
    String id = isFit(sent) ? sent : made();
    answer.set(NAME, id);
    return id;
  }

  /** Whether the client sent an id that is taken. */
  public static boolean isSent(HttpServerRequest request) {
    return isFit(request.getHeader(NAME));
  }

  /** Whether an id is safe to write into log lines and JSON unchanged. */
  private static boolean isFit(String id) {
    if (id == null || id.isEmpty() || id.length() > MAX_LENGTH) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean isWord = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!isWord && PUNCTUATION.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns a UUID of version 4. It is no secret, so it may be easy to guess. */
  private static String made() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }
}
