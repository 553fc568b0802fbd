package carillon.login;

import carillon.access.Identity;
import carillon.store.KeyStore;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/** Finds out who asks. Confined to one event loop. */
public final class Login {
  private static final String API_KEY = "api-key";
  private static final String BEARER = "bearer ";
  private static final Future<Identity> ANYBODY = Future.succeededFuture(Identity.ANYBODY);

  /** More than any token needs; headers are bounded to 8 KB anyway. */
  private static final int LONGEST = 8192;

  private final LoginSettings settings;
  private final InstantSource clock;
  private final KnownKeys keys;
  private final Failures failures = new Failures();

  /**
   * For one event loop.
   *
   * @param nanoClock measures how long something is remembered
   */
  public Login(
      LoginSettings settings, KeyStore store, InstantSource clock, LongSupplier nanoClock) {
    this.settings = settings;
    this.clock = clock;
    this.keys = new KnownKeys(settings, store, clock, nanoClock);
  }

  /** Whether health and metrics are for everybody. */
  public boolean isMonitoringOpen() {
    return !settings.required() || settings.openMonitoring();
  }

  /** Fails with a {@link LoginFailure}, or with STORE_UNAVAILABLE. */
  public Future<Identity> identify(HttpServerRequest request) {
    if (!settings.required()) {
      return ANYBODY;
    }
    Future<Identity> identity = shown(request);
    return identity.succeeded()
        ? identity
        : identity.recover(failure -> Future.failedFuture(counted(failure, request)));
  }

  private Throwable counted(Throwable failure, HttpServerRequest request) {
    return failure instanceof LoginFailure refused
        ? failures.count(refused, request.remoteAddress().hostAddress(), clock.instant())
        : failure;
  }

  private Future<Identity> shown(HttpServerRequest request) {
    List<String> authorizations = request.headers().getAll(HttpHeaders.AUTHORIZATION);
    List<String> apiKeys = request.headers().getAll(API_KEY);
    if (authorizations.size() + apiKeys.size() > 1) {
      return Future.failedFuture(LoginFailure.refused("more than one credential was shown"));
    }
    if (!apiKeys.isEmpty()) {
      return byKey(apiKeys.get(0).strip());
    }
    return authorizations.isEmpty()
        ? Future.failedFuture(LoginFailure.missing())
        : byAuthorization(authorizations.get(0));
  }

  private Future<Identity> byAuthorization(String header) {
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length()) || header.length() > LONGEST) {
      return Future.failedFuture(LoginFailure.refused("Authorization is not Bearer"));
    }
    return byKey(header.substring(BEARER.length()).strip());
  }

  private Future<Identity> byKey(String text) {
    return settings.keys()
        ? keys.identify(text)
        : Future.failedFuture(LoginFailure.refused("API keys are not accepted"));
  }
}
