package carillon.auth;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.bounded.AsyncCache;
import carillon.store.operation.ApiKeyStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authenticator by API key. Confined to one event loop. */
final class ApiKeyAuthenticator {
  private static final Logger LOG = LoggerFactory.getLogger(ApiKeyAuthenticator.class);

  /** Precision of the time of last use. */
  private static final Duration LAST_USE_PRECISION = Duration.ofMinutes(1);

  private static final int MAX_USES = 10_000;

  private final Map<String, ApiKey> operator;
  private final ApiKeyStore store;
  private final InstantSource clock;
  private final AsyncCache<Optional<ApiKey>> recent;
  private final Map<String, Instant> uses = new HashMap<>();

  ApiKeyAuthenticator(
      LoginOptions login, ApiKeyStore store, InstantSource clock, LongSupplier nanoClock) {
    this.operator = login.operator().stream().collect(Collectors.toMap(ApiKey::id, key -> key));
    this.store = store;
    this.clock = clock;
    this.recent = new AsyncCache<>(login.settings().revocation(), nanoClock);
  }

  /**
   * Finds the API key that a text is. Fails with a {@link LoginException}, or with
   * STORE_UNAVAILABLE.
   */
  Future<ApiKey> verify(String shown) {
    Optional<ApiKeyToken> text = ApiKeyToken.parse(shown);
    if (text.isEmpty()) {
      return Future.failedFuture(
          LoginException.refused("the text does not have the form of an API key"));
    }
    Future<Optional<ApiKey>> known = find(text.get().id());
    return known.succeeded()
        ? checked(text.get(), known.result())
        : known.compose(found -> checked(text.get(), found));
  }

  /** The key of this id, if it is valid; as cached. */
  Future<Optional<ApiKey>> inForce(String id) {
    return find(id).map(found -> found.filter(key -> !key.isExpired(clock.instant())));
  }

  private Future<Optional<ApiKey>> find(String id) {
    ApiKey given = operator.get(id);
    return given != null
        ? Future.succeededFuture(Optional.of(given))
        : recent.get(id, () -> look(id));
  }

  private Future<Optional<ApiKey>> look(String id) {
    return store
        .find(id)
        .onSuccess(
            found -> {
              if (found.isEmpty()) {
                // Invented ids must not evict those that are used.
                recent.forget(id);
              }
            });
  }

  private Future<ApiKey> checked(ApiKeyToken text, Optional<ApiKey> found) {
    if (found.isEmpty()) {
      return Future.failedFuture(LoginException.refused("there is no key " + text.id()));
    }
    ApiKey key = found.get();
    if (!text.has(key.hash())) {
      return Future.failedFuture(
          LoginException.refused("the secret of key " + text.id() + " is another"));
    }
    Instant now = clock.instant();
    if (key.isExpired(now)) {
      return Future.failedFuture(LoginException.refused("the key " + text.id() + " has expired"));
    }
    remember(key, now);
    return Future.succeededFuture(key);
  }

  /** Records that the key was used, directly or by a session. */
  void remember(ApiKey key, Instant now) {
    Instant last = uses.get(key.id());
    if (operator.containsKey(key.id())
        || (last != null && now.isBefore(last.plus(LAST_USE_PRECISION)))) {
      return;
    }
    if (uses.size() >= MAX_USES) {
      uses.clear();
    }
    uses.put(key.id(), now);
    store
        .used(key.id(), now)
        .onFailure(
            e -> LOG.atDebug().addKeyValue("error", e.getMessage()).log("last use not remembered"));
  }
}
