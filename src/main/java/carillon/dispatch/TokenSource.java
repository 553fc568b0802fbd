package carillon.dispatch;

import carillon.job.Authentication.ActiveDirectoryOAuth;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;

/**
 * Tokens for calls, each kept until shortly before it ends. Attempts that need the same one share a
 * request. No more than {@value #MOST} are kept; the one that was not used for longest goes.
 * Confined to an event loop.
 */
final class TokenSource {
  private static final int MOST = 1000;
  private static final Duration MARGIN = Duration.ofMinutes(1);

  /** Of a lifetime so short that the margin would eat it up, this part is left unused. */
  private static final int MARGIN_PART = 5;

  private final TokenEndpoint endpoint;
  private final InstantSource clock;
  private final Map<Key, Entry> entries = new Recent<>(MOST);

  TokenSource(TokenEndpoint endpoint, InstantSource clock) {
    this.endpoint = endpoint;
    this.clock = clock;
  }

  /** Whoever shows another secret does not get the token of the one who showed the right one. */
  private record Key(String tenant, String audience, String clientId, String secretDigest) {
    static Key of(ActiveDirectoryOAuth oauth) {
      return new Key(
          oauth.tenant(), oauth.audience(), oauth.clientId(), digest(oauth.secret().text()));
    }

    private static String digest(String secret) {
      try {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }
  }

  /** A token that was asked for, or is there. */
  private static final class Entry {
    private final Future<TokenEndpoint.Token> token;

    /** Until the answer has come: for ever, since whoever comes waits for it too. */
    private Instant until = Instant.MAX;

    Entry(Future<TokenEndpoint.Token> token) {
      this.token = token;
    }
  }

  /**
   * A token that is valid now; fails with {@link AuthenticationFailure}.
   *
   * @param oauth with its secret in clear
   */
  Future<String> token(ActiveDirectoryOAuth oauth) {
    Key key = Key.of(oauth);
    Entry known = entries.get(key);
    if (known != null && clock.instant().isBefore(known.until)) {
      return known.token.map(TokenEndpoint.Token::text);
    }
    Instant asked = clock.instant();
    Entry entry = new Entry(endpoint.request(oauth));
    entries.put(key, entry);
    return entry
        .token
        .onSuccess(token -> entry.until = asked.plus(used(token.lifetime())))
        .onFailure(failure -> entries.remove(key, entry))
        .map(TokenEndpoint.Token::text);
  }

  private static Duration used(Duration lifetime) {
    Duration part = lifetime.dividedBy(MARGIN_PART);
    return lifetime.minus(part.compareTo(MARGIN) < 0 ? part : MARGIN);
  }

  /** A target refused this token: the next attempt asks for another. */
  void forget(ActiveDirectoryOAuth oauth, String token) {
    Key key = Key.of(oauth);
    Entry known = entries.get(key);
    if (known != null && known.token.succeeded() && known.token.result().text().equals(token)) {
      entries.remove(key);
    }
  }

  /** How many tokens are kept or asked for. */
  int size() {
    return entries.size();
  }

  Future<Void> close() {
    return endpoint.close();
  }
}
