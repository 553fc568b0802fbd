package carillon.auth;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.access.Caller;
import carillon.access.SessionToken;
import carillon.bounded.FixedWindowRateLimiter;
import carillon.store.operation.ApiKeyStore;
import carillon.store.operation.SessionStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticator of requests: finds the caller by what a request shows. Confined to one event loop.
 */
public final class RequestAuthenticator {
  private static final String API_KEY = "api-key";
  private static final String BEARER = "bearer ";
  private static final Future<Caller> ANYBODY = Future.succeededFuture(Caller.ANONYMOUS);

  /** More than any token needs; headers are bounded to 8 KB anyway. */
  private static final int MAX_HEADER_LENGTH = 8192;

  private static final Logger LOG = LoggerFactory.getLogger(RequestAuthenticator.class);

  /** Failures of a network in a minute that are logged one by one; further ones have to wait. */
  private static final int MAX_LOGGED_FAILURES = 10;

  private final LoginOptions login;
  private final InstantSource clock;
  private final ApiKeyAuthenticator keys;
  private final Sessions sessions;
  private final Optional<TokenAuthenticator> tokens;
  private final FixedWindowRateLimiter failures =
      new FixedWindowRateLimiter(MAX_LOGGED_FAILURES + 1, Duration.ofMinutes(1));

  /** Sign-in to the console. */
  public record Session(SessionToken text, Caller caller, Instant ends) {}

  /**
   * An authenticator for the event loop of the caller.
   *
   * @param nanoClock measures how long something is remembered
   */
  public RequestAuthenticator(
      Vertx vertx,
      LoginOptions login,
      ApiKeyStore store,
      SessionStore sessions,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.login = login;
    this.clock = clock;
    this.keys = new ApiKeyAuthenticator(login, store, clock, nanoClock);
    this.sessions = new Sessions(login, keys, sessions, clock, nanoClock);
    this.tokens =
        login
            .tokens()
            .map(
                rules ->
                    new TokenAuthenticator(
                        rules,
                        new JwksClient(
                            rules.settings(), new IssuerClient(vertx, rules.settings()), nanoClock),
                        clock,
                        nanoClock));
  }

  /** Whether health and metrics need no credential. */
  public boolean isMonitoringOpen() {
    return !login.settings().isRequired() || login.settings().openMonitoring();
  }

  /** Identifies the caller. Fails with a {@link LoginException}, or with STORE_UNAVAILABLE. */
  public Future<Caller> identify(HttpServerRequest request) {
    if (!login.settings().isRequired()) {
      return ANYBODY;
    }
    Future<Caller> caller = byCredential(request);
    return caller.succeeded()
        ? caller
        : caller.recover(failure -> Future.failedFuture(countIfRefused(failure, request)));
  }

  private Throwable countIfRefused(Throwable failure, HttpServerRequest request) {
    return failure instanceof LoginException refused
            && refused.kind() == LoginException.Kind.REFUSED
        ? countRefusal(refused, request.remoteAddress().hostAddress())
        : failure;
  }

  /**
   * Counts a refused login and returns the failure to answer. Too many from one network are no
   * longer logged one by one. A valid credential is accepted all the same: others behind the same
   * proxy cannot lock its holder out, and 256 random bits need no lock.
   */
  LoginException countRefusal(LoginException refused, String address) {
    Instant now = clock.instant();
    int left = failures.take(ClientNetwork.of(address), now);
    if (left > 0) {
      LOG.atWarn()
          .addKeyValue("address", address)
          .addKeyValue("reason", refused.getMessage())
          .log("login failed");
      return refused;
    }
    if (left == 0) {
      LOG.atWarn()
          .addKeyValue("address", address)
          .log("too many failed logins; further ones in this minute are not logged");
    }
    return refused.tooOften(failures.untilRenewal(now));
  }

  private Future<Caller> byCredential(HttpServerRequest request) {
    List<String> authorizations = request.headers().getAll(HttpHeaders.AUTHORIZATION);
    List<String> apiKeys = request.headers().getAll(API_KEY);
    if (authorizations.isEmpty() && apiKeys.isEmpty()) {
      return byBrowser(request);
    }
    if (tokens.isPresent() && apiKeys.isEmpty() && authorizations.size() == 1) {
      Optional<String> token =
          bearer(authorizations.get(0)).filter(text -> !ApiKeyToken.isKey(text));
      if (token.isPresent()) {
        return tokens.get().identify(token.get());
      }
    }
    Future<ApiKey> key = key(authorizations, apiKeys);
    return key.succeeded()
        ? Future.succeededFuture(key.result().identity())
        : key.map(ApiKey::identity);
  }

  /** Identifies by the session if there is one, else by the client certificate. */
  private Future<Caller> byBrowser(HttpServerRequest request) {
    return SessionCookie.read(request)
        .filter(session -> login.acceptsKeys())
        .map(sessions::identify)
        .or(
            () ->
                login
                    .certificates()
                    .map(grants -> grants.identify(request.connection(), clock.instant())))
        .orElseGet(() -> Future.failedFuture(LoginException.missing()));
  }

  /**
   * Opens a session for the holder of an API key; another session is not enough. Fails with a
   * {@link LoginException}, or with STORE_UNAVAILABLE. To be asked only for requests that were
   * identified.
   */
  public Future<Session> signIn(HttpServerRequest request) {
    return key(
            request.headers().getAll(HttpHeaders.AUTHORIZATION), request.headers().getAll(API_KEY))
        .compose(sessions::open);
  }

  /** Ends the session that a request shows, if it shows one. Fails with STORE_UNAVAILABLE. */
  public Future<Void> signOut(HttpServerRequest request) {
    return SessionCookie.read(request).map(sessions::close).orElseGet(Future::succeededFuture);
  }

  /** The value of Set-Cookie that gives a session to the browser. */
  public String cookie(HttpServerRequest request, Session session) {
    return SessionCookie.write(
        request, Optional.of(session.text()), Duration.between(clock.instant(), session.ends()));
  }

  /** The value of Set-Cookie that takes it away again. */
  public String noCookie(HttpServerRequest request) {
    return SessionCookie.write(request, Optional.empty(), Duration.ZERO);
  }

  private Future<ApiKey> key(List<String> authorizations, List<String> apiKeys) {
    if (authorizations.size() + apiKeys.size() > 1) {
      return Future.failedFuture(LoginException.refused("more than one credential was shown"));
    }
    if (!apiKeys.isEmpty()) {
      return byKey(apiKeys.get(0).strip());
    }
    return authorizations.isEmpty()
        ? Future.failedFuture(LoginException.missing())
        : bearer(authorizations.get(0))
            .map(this::byKey)
            .orElseGet(
                () -> Future.failedFuture(LoginException.refused("Authorization is not Bearer")));
  }

  private static Optional<String> bearer(String header) {
    return header.regionMatches(true, 0, BEARER, 0, BEARER.length())
            && header.length() <= MAX_HEADER_LENGTH
        ? Optional.of(header.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  private Future<ApiKey> byKey(String text) {
    return login.acceptsKeys()
        ? keys.verify(text)
        : Future.failedFuture(LoginException.refused("API keys are not accepted"));
  }
}
