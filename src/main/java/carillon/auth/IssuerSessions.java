package carillon.auth;

import carillon.access.Caller;
import carillon.access.Grant;
import carillon.access.IssuerSessionToken;
import carillon.auth.AuthorizationCodeFlow.Person;
import carillon.auth.RequestAuthenticator.Session;
import carillon.bounded.AsyncCache;
import carillon.config.AccessSettings;
import carillon.store.operation.SessionStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Sessions of people who signed in to the console at the issuer: opens them, and authenticates by
 * them. Their grants follow from the words of their token with each request, so a change of {@code
 * access.tokens.roles} also affects open sessions. A session ends at its time, when it is closed,
 * and when the settings name another issuer or client. Confined to one event loop.
 */
final class IssuerSessions {
  private final AccessSettings settings;
  private final String clientId;
  private final JwtVerifier rules;
  private final SessionStore store;
  private final InstantSource clock;
  private final AsyncCache<Optional<Instant>> recent;

  IssuerSessions(
      AccessSettings settings,
      String clientId,
      JwtVerifier rules,
      SessionStore store,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.settings = settings;
    this.clientId = clientId;
    this.rules = rules;
    this.store = store;
    this.clock = clock;
    this.recent = new AsyncCache<>(settings.revocation(), nanoClock);
  }

  /**
   * Identifies the caller by a session. Fails with a {@link LoginException}, or with
   * STORE_UNAVAILABLE.
   */
  Future<Caller> identify(IssuerSessionToken text) {
    String hash = hash(text);
    return recent
        .get(hash, () -> look(text.person(), hash))
        .map(
            end -> {
              List<Grant> grants = rules.grants(text.words());
              if (end.filter(clock.instant()::isBefore).isEmpty() || grants.isEmpty()) {
                throw LoginException.ended();
              }
              return caller(text.name(), grants);
            });
  }

  private Future<Optional<Instant>> look(String person, String hash) {
    return store
        .end(person, hash)
        .onSuccess(
            end -> {
              if (end.isEmpty()) {
                // Invented sessions must not evict those that are used.
                recent.forget(hash);
              }
            });
  }

  /** Opens a session for a person. Fails with STORE_UNAVAILABLE. */
  Future<Session> open(Person person) {
    IssuerSessionToken text;
    try {
      text = IssuerSessionToken.random(issuer(), person.subject(), person.name(), person.words());
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(LoginException.refused(e.getMessage()));
    }
    Instant now = clock.instant();
    Instant end = now.plus(settings.session()).truncatedTo(ChronoUnit.SECONDS);
    Caller caller = caller(person.name(), rules.grants(person.words()));
    return store
        .open(text.person(), hash(text), now, end)
        .map(done -> new Session(text.reveal(), caller, end));
  }

  /** Ends a session, if there is one. Fails with STORE_UNAVAILABLE. */
  Future<Void> close(IssuerSessionToken text) {
    String hash = hash(text);
    recent.forget(hash);
    return store.close(text.person(), hash);
  }

  private String hash(IssuerSessionToken text) {
    return text.hash(issuer(), clientId);
  }

  private String issuer() {
    return settings.tokens().issuer().toString();
  }

  private static Caller caller(String name, List<Grant> grants) {
    return new Caller(name, Caller.AuthenticationMethod.SESSION, "", grants);
  }
}
