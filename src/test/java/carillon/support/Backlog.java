package carillon.support;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Remaining work of Carillon in Redis, counted from the documented keys.
 *
 * @param ask sends one inline command to Redis and returns the first line of the reply
 */
public record Backlog(UnaryOperator<String> ask) {
  private static final String CLAIMS = sum("claims:*", "HLEN', key)");
  private static final String HELD = sum("list:collection:*", "ZCARD', key)");

  // Excludes purges of finished jobs, which are due in weeks.
  private static final String DUE =
      sum("due", "ZCOUNT', key, '-inf', redis.call('TIME')[1] * 1000 + 86400000)");

  private static String sum(String keys, String count) {
    return "EVAL \"local n = 0 for _, key in ipairs(redis.call('KEYS', 'carillon:{*}:"
        + keys
        + "')) do n = n + redis.call('"
        + count
        + " end return n\" 0";
  }

  /** Returns the number of attempts that nodes hold. */
  public int claims() {
    return number(CLAIMS);
  }

  /** Returns the number of entries that are due within a day. */
  public int due() {
    return number(DUE);
  }

  private int number(String command) {
    String reply = ask.apply(command);
    if (!reply.startsWith(":")) {
      throw new AssertionError(command + ": " + reply);
    }
    return Integer.parseInt(reply.substring(1));
  }

  /** Waits until nothing is claimed, due or held. */
  public void awaitEmpty(Duration patience) {
    try {
      Await.until(
          "an empty backlog", patience, () -> claims() == 0 && due() == 0 && number(HELD) == 0);
    } catch (AssertionError e) {
      throw new AssertionError(
          e.getMessage() + "; claims " + claims() + ", due " + due() + ", held " + number(HELD), e);
    }
  }
}
