package carillon.api;

import carillon.access.Grant;
import carillon.access.Identity;
import carillon.codec.JsonBytes;
import carillon.codec.Timestamps;
import carillon.login.Login;
import carillon.login.Session;
import carillon.store.AuditLog;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Signing in to the console and out of it, and who one is. */
final class SessionRoutes {
  private static final String SET_COOKIE = "Set-Cookie";
  private static final Map<String, String> NOT_KEPT = Map.of("Cache-Control", "no-store");

  private final Login login;
  private final AuditLog audit;

  SessionRoutes(Login login, AuditLog audit) {
    this.login = login;
    this.audit = audit;
  }

  /** Who asks. */
  static Answer show(Identity caller) {
    return answer(200, caller, Optional.empty());
  }

  /** A session for whoever shows an API key, which the browser keeps as a cookie; it is noted. */
  Future<Answer> signIn(HttpServerRequest request, Identity caller, Instant now) {
    if (caller.proof() == Identity.Proof.NONE) {
      throw HttpRefusal.of(
          409, "ConflictError", "Nobody has to sign in here (access.accept).", Map.of());
    }
    return login
        .signIn(request)
        .compose(session -> noted(request, session, now))
        .map(
            session ->
                answer(201, session.identity(), Optional.of(session.ends()))
                    .with(Map.of(SET_COOKIE, login.cookie(request, session))));
  }

  private Future<Session> noted(HttpServerRequest request, Session session, Instant now) {
    Identity who = session.identity();
    return audit
        .note(
            Changes.of(request, who, "session", now),
            KeyRoutes.object(who.key()),
            Optional.empty(),
            Optional.empty())
        .map(session);
  }

  /** Ends the session, if there is one. */
  Future<Answer> signOut(HttpServerRequest request) {
    return login
        .signOut(request)
        .map(
            done ->
                Answer.empty(200).with(NOT_KEPT).with(Map.of(SET_COOKIE, login.noCookie(request))));
  }

  private static Answer answer(int status, Identity who, Optional<Instant> ends) {
    return Answer.json(
            status,
            JsonBytes.of(
                json -> {
                  json.writeStartObject();
                  json.writeStringField("client", who.name());
                  json.writeStringField("proof", who.proof().name().toLowerCase(Locale.ROOT));
                  json.writeArrayFieldStart("grants");
                  for (Grant grant : who.grants()) {
                    json.writeString(grant.text());
                  }
                  json.writeEndArray();
                  if (ends.isPresent()) {
                    json.writeStringField("expires", Timestamps.format(ends.get()));
                  }
                  json.writeEndObject();
                }))
        .with(NOT_KEPT);
  }
}
