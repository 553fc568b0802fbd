package carillon.auth;

import carillon.access.Caller;
import carillon.access.IssuerSessionToken;
import carillon.auth.AuthorizationCodeFlow.Person;
import carillon.auth.RequestAuthenticator.Session;
import carillon.bounded.FixedWindowRateLimiter;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Sign-in to the console at the issuer of tokens. The page of the console begins it and brings the
 * response; what ties the two together is in a cookie of the browser. Confined to one event loop.
 */
public final class IssuerSignIn {
  /** Maximum time of a sign-in at the issuer. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /**
   * Maximum number of failed exchanges of a network in a minute; beyond it the issuer is not asked.
   * An invented response has no valid code, so each of them fails.
   */
  private static final int MAX_FAILURES = 10;

  private final SignInOptions options;
  private final String host;
  private final AuthorizationCodeFlow flow;
  private final IssuerSessions sessions;
  private final InstantSource clock;
  private final FixedWindowRateLimiter failures =
      new FixedWindowRateLimiter(MAX_FAILURES, Duration.ofMinutes(1));

  /**
   * @param host of the issuer
   */
  IssuerSignIn(
      SignInOptions options,
      String host,
      AuthorizationCodeFlow flow,
      IssuerSessions sessions,
      InstantSource clock) {
    this.options = options;
    this.host = host;
    this.flow = flow;
    this.sessions = sessions;
    this.clock = clock;
  }

  /** Whether no page but that of the console can have sent this request. */
  public static boolean isOfConsole(HttpServerRequest request) {
    return ConsoleCookie.isOurs(request);
  }

  /** Returns the name of the issuer for people. */
  public String name() {
    return options.settings().name().isEmpty() ? host : options.settings().name();
  }

  /** Returns the origin to which the issuer sends people back, in the form of browsers. */
  public String origin() {
    return options.settings().origin().toString();
  }

  /**
   * Begins a sign-in and returns the address for the browser. The browser gets a cookie with the
   * answer. Fails with a {@link LoginException}.
   *
   * @param asksAgain whether the issuer must ask for the identity even if it knows it
   */
  public Future<String> begin(HttpServerRequest request, boolean asksAgain) {
    SignInSecret secret = SignInSecret.random();
    ConsoleCookie cookie = cookie(SignInSecret.id(secret.state()).orElseThrow());
    return flow.requestUri(secret, asksAgain)
        .onSuccess(
            uri ->
                request
                    .response()
                    .addCookie(cookie.of(request, Optional.of(secret.reveal()), PATIENCE)));
  }

  /**
   * Ends a sign-in with a session: the browser gets its cookie, and loses that of the sign-in,
   * unless it is worth trying again. A person without any grant gets none. Fails with a {@link
   * LoginException}, or with STORE_UNAVAILABLE.
   */
  Future<Session> finish(HttpServerRequest request, AuthorizationResponse response) {
    Optional<ConsoleCookie> cookie = SignInSecret.id(response.state()).map(this::cookie);
    Optional<SignInSecret> secret =
        cookie
            .flatMap(kept -> kept.read(request))
            .flatMap(SignInSecret::parse)
            .filter(known -> known.hasState(response.state()));
    if (secret.isEmpty()) {
      return Future.failedFuture(
          LoginException.declined(
              "This sign-in was not begun in this browser, or is over; sign in again."));
    }
    return exchanged(request, response, secret.get())
        .onComplete(
            done -> {
              if (done.succeeded() || !isPassing(done.cause())) {
                request
                    .response()
                    .addCookie(cookie.get().of(request, Optional.empty(), Duration.ZERO));
              }
            })
        .compose(this::session);
  }

  /** Asks the issuer, unless there is no room, or too much has failed for this network. */
  private Future<Person> exchanged(
      HttpServerRequest request, AuthorizationResponse response, SignInSecret secret) {
    String network = ClientNetwork.of(request.remoteAddress().hostAddress());
    Instant now = clock.instant();
    if (failures.isUsedUp(network, now)) {
      return Future.failedFuture(
          LoginException.refused("too many sign-ins failed").tooOften(failures.untilRenewal(now)));
    }
    if (flow.isBusy()) {
      return Future.failedFuture(
          LoginException.unavailable(
              "too many sign in at this moment", AuthorizationCodeFlow.PAUSE));
    }
    return flow.person(response, secret)
        .onFailure(failure -> failures.take(network, clock.instant()));
  }

  private static boolean isPassing(Throwable failure) {
    return failure instanceof LoginException refused && !refused.retryAfter().isZero();
  }

  private Future<Session> session(Person person) {
    return person.words().isEmpty()
        ? Future.failedFuture(LoginException.withoutGrant(person.name()))
        : sessions.open(person);
  }

  private ConsoleCookie cookie(String id) {
    return new ConsoleCookie("carillon-signin-" + id, options.httpsHost());
  }

  /** Identifies the caller by a session. */
  Future<Caller> identify(IssuerSessionToken session) {
    return sessions.identify(session);
  }

  /**
   * Ends a session, and says where to sign out of the issuer too, if there is such a place. Fails
   * with STORE_UNAVAILABLE.
   */
  Future<Optional<String>> signOut(IssuerSessionToken session) {
    return sessions.close(session).compose(closed -> flow.endSessionUri());
  }
}
