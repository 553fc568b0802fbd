package carillon.dispatch;

import carillon.bounded.LruMap;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/**
 * Cache of OAuth tokens for calls, each kept until shortly before it ends. Attempts that need the
 * same one share a request. No more than {@value #MAX_ENTRIES} are kept; the one that was not used
 * for longest goes. A refusal holds for 30 seconds, twice as long each time that it is repeated.
 * Confined to an event loop.
 */
final class OAuthTokenCache {
  private static final int MAX_ENTRIES = 1000;
  private static final Duration MIN_PAUSE = Duration.ofSeconds(30);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(15);
  private static final Duration MARGIN = Duration.ofMinutes(1);

  /** Of a lifetime so short that the margin would eat it up, this part is left unused. */
  private static final int MARGIN_PART = 5;

  private final OAuthTokenClient endpoint;
  private final InstantSource clock;
  private final OAuthTokenRequestQueue queue = new OAuthTokenRequestQueue();
  private final Map<Key, Entry> entries = new LruMap<>(MAX_ENTRIES);

  /** Apart, so that many of them push out no token. */
  private final Map<Key, Refusal> refusals = new LruMap<>(MAX_ENTRIES);

  OAuthTokenCache(OAuthTokenClient endpoint, InstantSource clock) {
    this.endpoint = endpoint;
    this.clock = clock;
  }

  /** Whoever shows another secret does not get the token of the one who showed the right one. */
  private record Key(String digest) {
    static Key of(ClientCredentialsGrant grant) {
      return new Key(grant.digest());
    }
  }

  /** A token that was asked for, or is there. */
  private static final class Entry {
    private final Future<OAuthTokenClient.Token> token;

    /** Until the answer has come: for ever, since whoever comes waits for it too. */
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
    Entry entry = new Entry(queue.request(collection, () -> endpoint.request(grant)));
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

  /** How many tokens are kept or asked for. */
  int size() {
    return entries.size();
  }

  Future<Void> close() {
    return endpoint.close();
  }
}
