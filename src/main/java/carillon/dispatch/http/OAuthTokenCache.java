package carillon.dispatch.http;

import carillon.bounded.LruMap;
import carillon.dispatch.call.AuthenticationException;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/**
 * Cache of OAuth tokens for calls, each kept until shortly before it expires. Attempts that need
 * the same token share a request. At most {@value #MAX_ENTRIES} are kept; the least recently used
 * one is removed. A refusal is valid for 30 seconds, twice as long after each further refusal.
 * Refused clients wait in a separate queue. Confined to an event loop.
 */
public final class OAuthTokenCache {
  private static final int MAX_ENTRIES = 1000;
  private static final Duration MIN_PAUSE = Duration.ofSeconds(30);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(15);
  private static final Duration MARGIN = Duration.ofMinutes(1);

  /** Divisor of the lifetime of a token: the margin is at most this part of it. */
  private static final int MARGIN_PART = 5;

  private final OAuthTokenClient endpoint;
  private final InstantSource clock;
  private final OAuthTokenRequestQueue queue = new OAuthTokenRequestQueue(8, 2, 100);

  /**
   * Queue of clients whose last request was refused. It is short because a waiting attempt holds a
   * place in the node and at its target.
   */
  private final OAuthTokenRequestQueue refused = new OAuthTokenRequestQueue(1, 1, 10);

  private final Map<Key, Entry> entries = new LruMap<>(MAX_ENTRIES);

  /** Refusals in a separate map, so that many of them do not evict tokens. */
  private final Map<Key, Refusal> refusals = new LruMap<>(MAX_ENTRIES);

  public OAuthTokenCache(OAuthTokenClient endpoint, InstantSource clock) {
    this.endpoint = endpoint;
    this.clock = clock;
  }

  /**
   * Key of a token. It covers the secret, so a wrong secret never gets the token of the right one.
   */
  private record Key(String digest) {
    static Key of(ClientCredentialsGrant grant) {
      return new Key(grant.digest());
    }
  }

  /** Token that was requested or is present. */
  private static final class Entry {
    private final Future<OAuthTokenClient.Token> token;

    /**
     * End of validity. Without a limit until the answer has come, because later callers wait for it
     * too.
     */
    private Instant until = Instant.MAX;

    Entry(Future<OAuthTokenClient.Token> token) {
      this.token = token;
    }
  }

  /** The authority said no: it is not asked again before this has passed. */
  private record Refusal(AuthenticationException failure, Duration pause, Instant until) {}

  /**
   * A token that is valid now; fails with {@link AuthenticationException}.
   *
   * @param collection the key of the collection of the job that needs it
   * @param grant with its secret in clear
   */
  Future<String> token(String collection, ClientCredentialsGrant grant) {
    Key key = Key.of(grant);
    Refusal refusal = refusals.get(key);
    if (refusal != null && clock.instant().isBefore(refusal.until)) {
      return Future.failedFuture(refusal.failure);
    }
    Entry known = entries.get(key);
    if (known != null && clock.instant().isBefore(known.until)) {
      return known.token.map(OAuthTokenClient.Token::text);
    }
    Instant asked = clock.instant();
    OAuthTokenRequestQueue line = refusal == null ? queue : refused;
    Entry entry = new Entry(line.request(collection, () -> endpoint.request(grant)));
    entries.put(key, entry);
    return entry
        .token
        .onSuccess(
            token -> {
              entry.until = asked.plus(used(token.lifetime()));
              refusals.remove(key);
            })
        .onFailure(
            failure -> {
              entries.remove(key, entry);
              remember(key, failure);
            })
        .map(OAuthTokenClient.Token::text);
  }

  private void remember(Key key, Throwable failure) {
    if (failure instanceof AuthenticationException known && known.refused()) {
      Refusal before = refusals.get(key);
      Duration pause = before == null ? MIN_PAUSE : before.pause.multipliedBy(2);
      Duration bounded = pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
      refusals.put(key, new Refusal(known, bounded, clock.instant().plus(bounded)));
    }
  }

  private static Duration used(Duration lifetime) {
    Duration part = lifetime.dividedBy(MARGIN_PART);
    return lifetime.minus(part.compareTo(MARGIN) < 0 ? part : MARGIN);
  }

  /** A target refused this token: the next attempt asks for another. */
  void forget(ClientCredentialsGrant grant, String token) {
    Key key = Key.of(grant);
    Entry known = entries.get(key);
    if (known != null && known.token.succeeded() && known.token.result().text().equals(token)) {
      entries.remove(key);
    }
  }

  /** Returns the number of tokens that are kept or requested. */
  int size() {
    return entries.size();
  }

  Future<Void> close() {
    return endpoint.close();
  }
}
