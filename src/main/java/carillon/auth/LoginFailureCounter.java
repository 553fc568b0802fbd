package carillon.auth;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts logins that fail, by the network they come from, in periods of a minute. Beyond a bound
 * they are no longer logged one by one and are answered with a request to wait. Who shows something
 * valid is let in all the same: others behind the same proxy cannot lock him out, and 256 random
 * bits need no lock. Confined to one event loop.
 */
final class LoginFailureCounter {
  private static final Logger LOG = LoggerFactory.getLogger(LoginFailureCounter.class);
  private static final int ALLOWED = 10;
  private static final long PERIOD_SECONDS = 60;

  /** Beyond so many networks the others share a count. */
  private static final int TOLD_APART = 10_000;

  private static final String OTHERS = "others";

  private final Map<String, Integer> counts = new HashMap<>();
  private long period;

  /** Counts one, and says how it is to be answered. */
  LoginException count(LoginException failure, String address, Instant now) {
    if (failure.kind() != LoginException.Kind.REFUSED) {
      return failure;
    }
    if (now.getEpochSecond() / PERIOD_SECONDS != period) {
      period = now.getEpochSecond() / PERIOD_SECONDS;
      counts.clear();
    }
    String network = ClientNetwork.of(address);
    boolean isToldApart = counts.size() < TOLD_APART || counts.containsKey(network);
    int count = counts.merge(isToldApart ? network : OTHERS, 1, Integer::sum);
    log(failure, address, count);
    return count <= ALLOWED ? failure : failure.tooOften(untilNext(now));
  }

  private static void log(LoginException failure, String address, int count) {
    if (count <= ALLOWED) {
      LOG.atWarn()
          .addKeyValue("address", address)
          .addKeyValue("reason", failure.getMessage())
          .log("login failed");
    } else if (count == ALLOWED + 1) {
      LOG.atWarn()
          .addKeyValue("address", address)
          .log("logins fail too often, further ones of this minute are not logged");
    }
  }

  private static Duration untilNext(Instant now) {
    return Duration.ofSeconds(PERIOD_SECONDS - now.getEpochSecond() % PERIOD_SECONDS);
  }
}
