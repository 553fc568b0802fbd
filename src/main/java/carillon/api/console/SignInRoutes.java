package carillon.api.console;

import carillon.access.Caller;
import carillon.access.IssuerSessionToken;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.auth.AuthorizationResponse;
import carillon.auth.IssuerSignIn;
import carillon.auth.RequestAuthenticator;
import carillon.auth.RequestAuthenticator.Session;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.store.job.AuditLog;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Routes of the sign-in to the console at the issuer of tokens, for the page of the console before
 * anybody is signed in.
 */
public final class SignInRoutes {
  private static final Set<String> REQUEST_FIELDS = Set.of("prompt");
  private static final Set<String> RESPONSE_FIELDS = Set.of("code", "state", "iss", "error");

  private final RequestAuthenticator login;
  private final AuditLog audit;

  public SignInRoutes(RequestAuthenticator login, AuditLog audit) {
    this.login = login;
    this.audit = audit;
  }

  /** Answers the available ways to sign in. */
  public Future<ApiResponse> ways(ApiRequest request) {
    return Future.succeededFuture(
        ApiResponse.json(
            200,
            JsonOut.object(
                json -> {
                  json.writeBooleanField("keys", login.acceptsKeys());
                  Optional<String> issuer = login.issuer().map(IssuerSignIn::name);
                  if (issuer.isPresent()) {
                    json.writeStringField("issuer", issuer.get());
                  }
                })));
  }

  /** Begins a sign-in and answers the address for the page. */
  public Future<ApiResponse> begin(ApiRequest request) {
    IssuerSignIn issuer = issuer(request);
    String origin = request.http().getHeader(HttpHeaders.ORIGIN);
    if (origin != null && !origin.equals(issuer.origin())) {
      throw conflict(
          "The issuer sends people back to "
              + issuer.origin()
              + " (console.signIn.origin): open the console there to sign in.");
    }
    JsonFields fields = fields(request, REQUEST_FIELDS);
    Optional<String> prompt = fields.text("prompt");
    if (prompt.isPresent() && !prompt.get().equals("login")) {
      throw JobException.invalid("prompt: must be login, or absent");
    }
    return issuer
        .begin(request.http(), prompt.isPresent())
        .map(
            uri ->
                ApiResponse.json(
                    200, JsonOut.object(json -> json.writeStringField("authorizationUri", uri))));
  }

  /** Ends a sign-in by the issuer's response: opens a session; the audit log notes it. */
  public Future<ApiResponse> finish(ApiRequest request) {
    IssuerSignIn issuer = issuer(request);
    JsonFields fields = fields(request, RESPONSE_FIELDS);
    AuthorizationResponse response =
        new AuthorizationResponse(
            fields.text("code").orElse(""),
            fields.text("state").orElse(""),
            fields.text("iss").orElse(""),
            fields.text("error").orElse(""));
    return login
        .signIn(request.http(), issuer, response)
        .compose(session -> noted(request, session))
        .map(session -> SessionRoutes.opened(request, login, session));
  }

  private Future<Session> noted(ApiRequest request, Session session) {
    Caller caller = session.caller();
    return audit
        .note(
            request.auditContext("session", caller),
            "session:" + caller.label().toLowerCase(Locale.ROOT), // as all objects are asked for
            Optional.empty(),
            IssuerSessionToken.parse(session.text()).map(SignInRoutes::person))
        .map(session);
  }

  /** Returns the identity that the issuer means: it may give the name to somebody else one day. */
  private static String person(IssuerSessionToken session) {
    return new JsonObject().put("person", session.person()).encode();
  }

  private IssuerSignIn issuer(ApiRequest request) {
    if (!IssuerSignIn.isOfConsole(request.http())) {
      throw HttpException.forbidden("Only the console's own page may send this.");
    }
    return login
        .issuer()
        .orElseThrow(
            () ->
                conflict(
                    "Nobody can sign in at an issuer of tokens here (console.signIn.clientId)."));
  }

  private static JsonFields fields(ApiRequest request, Set<String> known) {
    JsonFields fields =
        JsonFields.root(StrictJsonParser.parse(request.body(), "Malformed sign-in"));
    fields.allowOnly(known, Dialect.NATIVE);
    return fields;
  }

  private static HttpException conflict(String message) {
    return HttpException.of(409, "ConflictError", message, Map.of());
  }
}
