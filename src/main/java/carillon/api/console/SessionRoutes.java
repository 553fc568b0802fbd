package carillon.api.console;

import carillon.access.Caller;
import carillon.api.admin.KeyRoutes;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.auth.RequestAuthenticator;
import carillon.auth.RequestAuthenticator.Session;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.store.job.AuditLog;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Sessions of the console: sign in, sign out, and the signed-in caller. */
public final class SessionRoutes {
  private static final String SET_COOKIE = "Set-Cookie";
  private static final Map<String, String> NOT_KEPT = Map.of("Cache-Control", "no-store");

  private final RequestAuthenticator login;
  private final AuditLog audit;

  public SessionRoutes(RequestAuthenticator login, AuditLog audit) {
    this.login = login;
    this.audit = audit;
  }

  /** The caller and their grants. */
  public Future<ApiResponse> show(ApiRequest request) {
    return Future.succeededFuture(answer(200, request.caller(), Optional.empty()));
  }

  /** Opens a session for the holder of an API key, as a cookie; the audit log notes it. */
  public Future<ApiResponse> signIn(ApiRequest request) {
    if (request.caller().proof() == Caller.AuthenticationMethod.NONE) {
      throw HttpException.of(
          409,
          "ConflictError",
          "Authentication is disabled, so there is nothing to sign in to (access.accept).",
          Map.of());
    }
    return login
        .signIn(request.http())
        .compose(session -> noted(request, session))
        .map(session -> opened(request, login, session));
  }

  /** The answer that gives a session to the browser. */
  static ApiResponse opened(ApiRequest request, RequestAuthenticator login, Session session) {
    return answer(201, session.caller(), Optional.of(session.ends()))
        .with(Map.of(SET_COOKIE, login.cookie(request.http(), session)));
  }

  private Future<Session> noted(ApiRequest request, Session session) {
    Caller caller = session.caller();
    return audit
        .note(
            request.auditContext("session", caller),
            KeyRoutes.object(caller.key()),
            Optional.empty(),
            Optional.empty())
        .map(session);
  }

  /**
   * Ends the session, if there is one; says where to sign out of the issuer too. The browser loses
   * the cookie also when the session cannot be ended.
   */
  public Future<ApiResponse> signOut(ApiRequest request) {
    request.http().response().putHeader(SET_COOKIE, login.noCookie(request.http()));
    return login.signOut(request.http()).map(endSession -> signedOut(endSession).with(NOT_KEPT));
  }

  private static ApiResponse signedOut(Optional<String> endSession) {
    return ApiResponse.json(
        200,
        JsonOut.object(
            json -> {
              if (endSession.isPresent()) {
                json.writeStringField("endSessionUri", endSession.get());
              }
            }));
  }

  private static ApiResponse answer(int status, Caller caller, Optional<Instant> ends) {
    return ApiResponse.json(
            status,
            JsonOut.object(
                json -> {
                  json.writeStringField("client", caller.name());
                  json.writeStringField("proof", caller.proof().name().toLowerCase(Locale.ROOT));
                  JsonOut.writeTexts(
                      json, "grants", caller.grants().stream().map(grant -> grant.text()).toList());
                  if (ends.isPresent()) {
                    json.writeStringField("expires", Timestamps.format(ends.get()));
                  }
                }))
        .with(NOT_KEPT);
  }
}
