package carillon.auth;

import carillon.access.ApiKey;
import carillon.access.Caller;
import carillon.access.SessionToken;
import carillon.bounded.AsyncCache;
import carillon.config.AccessSettings;
import carillon.store.operation.SessionStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Sessions of the console: opens them for API keys, and authenticates by them. A session ends at
 * its time, when it is closed, and when its key is revoked, expires or is replaced. On other nodes,
 * and other event loops, closing takes as long as revoking a key. Confined to one event loop.
 */
final class Sessions {
  private final AccessSettings settings;
  private final ApiKeyAuthenticator keys;
  private final SessionStore store;
  private final InstantSource clock;
  private final AsyncCache<Optional<Instant>> recent;

  Sessions(
      LoginOptions login,
      ApiKeyAuthenticator keys,
      SessionStore store,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.settings = login.settings();
    this.keys = keys;
    this.store = store;
    this.clock = clock;
    this.recent = new AsyncCache<>(login.settings().revocation(), nanoClock);
  }

  /**
   * Identifies the caller by a session. Fails with a {@link LoginException}, or with
   * STORE_UNAVAILABLE.
   */
  Future<Caller> identify(SessionToken text) {
    return keys.inForce(text.key())
        .compose(
            found ->
                found
                    .map(key -> identify(text, key))
                    .orElseGet(() -> Future.failedFuture(LoginException.ended())));
  }

  private Future<Caller> identify(SessionToken text, ApiKey key) {
    return recent
        .get(name(text), () -> look(text, key))
        .map(
            end -> {
              Instant now = clock.instant();
              if (end.filter(now::isBefore).isEmpty()) {
                throw LoginException.ended();
              }
              keys.remember(key, now);
              return key.identityInSession();
            });
  }

  private Future<Optional<Instant>> look(SessionToken text, ApiKey key) {
    return store
        .end(key.id(), text.hash(key))
        .onSuccess(
            end -> {
              if (end.isEmpty()) {
                // Invented sessions must not evict those that are used.
                recent.forget(name(text));
              }
            });
  }

  private static String name(SessionToken text) {
    return text.reveal();
  }

  /** Opens a session for the holder of this key. Fails with STORE_UNAVAILABLE. */
  Future<RequestAuthenticator.Session> open(ApiKey key) {
    Instant now = clock.instant();
    Instant latest = now.plus(settings.session());
    Instant end =
        key.expires().filter(latest::isAfter).orElse(latest).truncatedTo(ChronoUnit.SECONDS);
    SessionToken text = SessionToken.random(key);
    return store
        .open(key.id(), text.hash(key), now, end)
        .map(done -> new RequestAuthenticator.Session(text.reveal(), key.identityInSession(), end));
  }

  /** Ends a session, if there is one. Fails with STORE_UNAVAILABLE. */
  Future<Void> close(SessionToken text) {
    recent.forget(name(text));
    return keys.inForce(text.key())
        .compose(
            found ->
                found
                    .map(key -> store.close(key.id(), text.hash(key)))
                    .orElseGet(Future::succeededFuture));
  }
}
