package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Tokens that nodes may still spend, as the requests for them took long. */
final class LateTokens {
  /** How long a node may keep a token, beside the time that its request took. */
  private static final Duration KEPT = Duration.ofMillis(50);

  /** By node: until when it may begin what it was granted. */
  private final Map<String, Instant> ends = new HashMap<>();

  /** Redis granted tokens. */
  void grant(ScriptCall sent, Instant now) {
    if (sent.at().isBefore(now)) {
      ends.put(sent.party(), now.plus(Duration.between(sent.at(), now)).plus(KEPT));
    }
  }

  /** Whether what a node claimed then may be begun by them. */
  boolean isFor(String node, Instant claimed) {
    return !claimed.isAfter(ends.getOrDefault(node, Instant.MIN));
  }
}
