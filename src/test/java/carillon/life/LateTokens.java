package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Tokens that nodes may still spend because the requests for them took long. */
final class LateTokens {
  /** How long a node may keep a token, in addition to the time of its request. */
  private static final Duration KEPT = Duration.ofMillis(50);

  /** Instant until which a node may begin calls with its grant, by node. */
  private final Map<String, Instant> ends = new HashMap<>();

  /** Redis granted tokens. */
  void grant(ScriptCall sent, Instant now) {
    if (sent.at().isBefore(now)) {
      ends.put(sent.party(), now.plus(Duration.between(sent.at(), now)).plus(KEPT));
    }
  }

  /** Whether a node may use late tokens for an attempt that it claimed at this instant. */
  boolean isFor(String node, Instant claimed) {
    return !claimed.isAfter(ends.getOrDefault(node, Instant.MIN));
  }
}
