package carillon.auth;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.access.Caller;
import carillon.access.IssuerSessionToken;
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
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticator of requests: finds the caller by the credential in a request. Confined to one event
 * loop.
 */
public final class RequestAuthenticator {
  private static final String API_KEY = "api-key";
  private static final String BEARER = "bearer ";
  private static final Future<Caller> ANYBODY = Future.succeededFuture(Caller.ANONYMOUS);

  /** Maximum length of a header, more than any token needs; headers are bounded to 8 KB anyway. */
  private static final int MAX_HEADER_LENGTH = 8192;

  private static final Logger LOG = LoggerFactory.getLogger(RequestAuthenticator.class);

  /** Failures that may be the guesses of an attacker. */
  private static final Set<LoginException.Kind> COUNTED =
      Set.of(LoginException.Kind.REFUSED, LoginException.Kind.DECLINED);

  /**
   * Maximum number of failures of a network in a minute that are logged one by one. Callers with
   * further failures must wait.
   */
  private static final int MAX_LOGGED_FAILURES = 10;

  private final LoginOptions login;
  private final InstantSource clock;
  private final ConsoleCookie cookie;
  private final ApiKeyAuthenticator keys;
  private final Sessions sessions;
  private final Optional<TokenAuthenticator> tokens;
  private final Optional<IssuerSignIn> issuer;
  private final FixedWindowRateLimiter failures =
      new FixedWindowRateLimiter(MAX_LOGGED_FAILURES + 1, Duration.ofMinutes(1));

  /**
   * Sign-in to the console.
   *
   * @param text for the cookie
   */
  public record Session(String text, Caller caller, Instant ends) {
    /** Shows all but the text. */
    @Override
    public String toString() {
      return "Session[" + caller + ", " + ends + "]";
    }
  }

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
    this.cookie =
        new ConsoleCookie(
            "carillon-session", login.signIn().map(SignInOptions::httpsHost).orElse(""));
    this.keys = new ApiKeyAuthenticator(login, store, clock, nanoClock);
    this.sessions = new Sessions(login, keys, sessions, clock, nanoClock);
    if (login.tokens().isEmpty()) {
      this.tokens = Optional.empty();
      this.issuer = Optional.empty();
      return;
    }
    JwtVerifier rules = login.tokens().get();
    IssuerClient client = new IssuerClient(vertx, rules.settings());
    JwksClient jwks = new JwksClient(rules.settings(), client, nanoClock);
    this.tokens = Optional.of(new TokenAuthenticator(rules, jwks, clock, nanoClock));
    this.issuer =
        login
            .signIn()
            .map(
                options ->
                    new IssuerSignIn(
                        options,
                        rules.settings().issuer().getHost(),
                        new AuthorizationCodeFlow(
                            options,
                            rules,
                            new IssuerClient(
                                vertx, rules.settings(), AuthorizationCodeFlow.MAX_EXCHANGES),
                            jwks,
                            clock,
                            nanoClock),
                        new IssuerSessions(
                            login.settings(),
                            options.settings().clientId(),
                            rules,
                            sessions,
                            clock,
                            nanoClock),
                        clock));
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
    return failure instanceof LoginException refused && COUNTED.contains(refused.kind())
        ? countRefusal(refused, request.remoteAddress().hostAddress(), RequestId.of(request))
        : failure;
  }

  /**
   * Counts a refused login and returns the failure to answer. Too many from one network are no
   * longer logged one by one. A valid credential is accepted all the same: others behind the same
   * proxy cannot lock its holder out, and 256 random bits need no lock.
   */
  LoginException countRefusal(LoginException refused, String address, String requestId) {
    Instant now = clock.instant();
    int left = failures.take(ClientNetwork.of(address), now);
    if (left > 0) {
      LOG.atWarn()
          .addKeyValue("address", address)
          .addKeyValue("reason", refused.getMessage())
          .addKeyValue("requestId", requestId)
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
    Optional<String> session = cookie.read(request);
    return session
        .flatMap(SessionToken::parse)
        .filter(text -> login.acceptsKeys())
        .map(sessions::identify)
        .or(() -> session.flatMap(this::byIssuersSession))
        .or(
            () ->
                login
                    .certificates()
                    .map(grants -> grants.identify(request.connection(), clock.instant())))
        .orElseGet(() -> Future.failedFuture(LoginException.missing()));
  }

  private Optional<Future<Caller>> byIssuersSession(String session) {
    return IssuerSessionToken.parse(session)
        .flatMap(text -> issuer.map(signIn -> signIn.identify(text)));
  }

  /** Whether people can sign in to the console with an API key. */
  public boolean acceptsKeys() {
    return login.acceptsKeys();
  }

  /** Returns the sign-in to the console at the issuer; empty if it is off. */
  public Optional<IssuerSignIn> issuer() {
    return issuer;
  }

  /**
   * Opens a session for a person who has signed in at the issuer. Fails with a {@link
   * LoginException}, or with STORE_UNAVAILABLE.
   */
  public Future<Session> signIn(
      HttpServerRequest request, IssuerSignIn issuer, AuthorizationResponse response) {
    return issuer
        .finish(request, response)
        .recover(failure -> Future.failedFuture(countIfRefused(failure, request)));
  }

  /**
   * Opens a session for the holder of an API key; another session is not enough. Fails with a
   * {@link LoginException}, or with STORE_UNAVAILABLE. Must be called only for identified requests.
   */
  public Future<Session> signIn(HttpServerRequest request) {
    return key(
            request.headers().getAll(HttpHeaders.AUTHORIZATION), request.headers().getAll(API_KEY))
        .compose(sessions::open);
  }

  /**
   * Ends the session of a request, if it has one. Returns the address at which its holder can also
   * sign out of the issuer. Fails with STORE_UNAVAILABLE.
   */
  public Future<Optional<String>> signOut(HttpServerRequest request) {
    Optional<String> session = cookie.read(request);
    return session
        .flatMap(SessionToken::parse)
        .map(text -> sessions.close(text).map(closed -> Optional.<String>empty()))
        .or(
            () ->
                session
                    .flatMap(IssuerSessionToken::parse)
                    .flatMap(text -> issuer.map(signIn -> signIn.signOut(text))))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  /** The value of Set-Cookie that gives a session to the browser. */
  public String cookie(HttpServerRequest request, Session session) {
    Duration kept = Duration.between(clock.instant(), session.ends());
    return cookie.of(request, Optional.of(session.text()), kept).encode();
  }

  /** The value of Set-Cookie that takes it away again. */
  public String noCookie(HttpServerRequest request) {
    return cookie.of(request, Optional.empty(), Duration.ZERO).encode();
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
