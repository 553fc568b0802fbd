package carillon.api.admin;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.access.Grant;
import carillon.access.Scope;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.QueryParameters;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.view.ApiKeyCodec;
import carillon.store.collection.CollectionStore;
import carillon.store.job.AuditLog;
import carillon.store.operation.ApiKeyStore;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Handlers of API keys. The secret of a key is in one response only, that to its creation. */
public final class KeyRoutes {
  private static final String WHAT = "key";

  private final ApiKeyStore keys;
  private final CollectionStore collections;
  private final AuditLog audit;

  public KeyRoutes(ApiKeyStore keys, CollectionStore collections, AuditLog audit) {
    this.keys = keys;
    this.collections = collections;
    this.audit = audit;
  }

  /** Creates a key. Warns of grants whose scope is empty: they are allowed, and often a mistake. */
  public Future<ApiResponse> create(ApiRequest request) {
    ApiKeyToken text = ApiKeyToken.random();
    ApiKey key = ApiKeyCodec.read(request.body(), text, request.now(), request.caller().label());
    return warnings(key.grants())
        .compose(warnings -> added(request, key).map(warnings))
        .map(
            warnings ->
                ApiResponse.json(201, ApiKeyCodec.answer(key, text, warnings))
                    .with(Map.of("Location", "/keys/" + key.id(), "Cache-Control", "no-store")));
  }

  private Future<Void> added(ApiRequest request, ApiKey key) {
    return keys.add(key)
        .compose(
            added ->
                audit.note(
                    request.auditContext(WHAT, request.caller()),
                    object(key.id()),
                    Optional.empty(),
                    Optional.of(text(key))));
  }

  private Future<List<String>> warnings(List<Grant> grants) {
    List<Future<Optional<String>>> looked =
        grants.stream()
            .filter(grant -> !grant.scope().equals(Scope.EVERYTHING))
            .map(this::warning)
            .toList();
    return Future.all(looked)
        .map(all -> looked.stream().flatMap(one -> one.result().stream()).toList());
  }

  private Future<Optional<String>> warning(Grant grant) {
    return collections
        .list(List.of(grant.scope()), "", 0, 1)
        .map(page -> page.names().isEmpty() ? Optional.of(nothingIn(grant)) : Optional.empty());
  }

  private static String nothingIn(Grant grant) {
    Scope scope = grant.scope();
    String what =
        !scope.isWhole()
            ? "no collection '" + scope.collections() + "'" + place(scope)
            : scope.group().isEmpty()
                ? "no collection in the subscription '" + scope.subscription() + "'"
                : "no collection in the group '" + scope.path() + "'";
    return "grants: there is " + what + ", the scope of '" + grant.text() + "'.";
  }

  /**
   * Describes the place of a scope. It names the group, because a single name may have been meant
   * as a subscription.
   */
  private static String place(Scope scope) {
    boolean isPlain = !scope.text().contains("/");
    String group =
        isPlain ? " in the default group" : " in the group '" + scope.around().path() + "'";
    return isPlain && !scope.collections().isOpen()
        ? group + " (a subscription is written " + scope.collections() + "/*)"
        : group;
  }

  /** Lists keys by their ids. */
  public Future<ApiResponse> list(ApiRequest request) {
    QueryParameters query = request.query();
    int top = query.top();
    String after = query.after();
    return keys.byId()
        .compose(
            all -> {
              List<ApiKey> rest =
                  new TreeMap<>(all.tailMap(after, false))
                      .values().stream().skip(query.skip()).limit(top + 1L).toList();
              List<ApiKey> page = rest.subList(0, Math.min(top, rest.size()));
              Optional<String> next =
                  rest.size() > top
                      ? Optional.of(request.nextLink(page.get(top - 1).id()))
                      : Optional.empty();
              return keys.shown(page)
                  .map(shown -> ApiResponse.json(200, ApiKeyCodec.page(shown, next)));
            });
  }

  /** Answers one key. */
  public Future<ApiResponse> get(ApiRequest request) {
    String id = request.path().id();
    return keys.find(id)
        .compose(found -> keys.shown(List.of(found.orElseThrow(() -> notFound(id)))))
        .map(shown -> ApiResponse.json(200, ApiKeyCodec.answer(shown.get(0))));
  }

  /** Revokes a key. */
  public Future<ApiResponse> revoke(ApiRequest request) {
    String id = request.path().id();
    return keys.find(id)
        .compose(
            found ->
                keys.revoke(id)
                    .compose(
                        existed -> {
                          if (!existed) {
                            throw notFound(id);
                          }
                          return audit.note(
                              request.auditContext(WHAT, request.caller()),
                              object(id),
                              found.map(KeyRoutes::text),
                              Optional.empty());
                        }))
        .map(noted -> ApiResponse.empty(200));
  }

  /** Name of a key in the audit log, which no subscription can have. */
  public static String object(String id) {
    return "key:" + id;
  }

  private static String text(ApiKey key) {
    return new String(
        ApiKeyCodec.answer(new ApiKeyCodec.Shown(key, Optional.empty())), StandardCharsets.UTF_8);
  }

  private static JobException notFound(String id) {
    return new JobException(
        ErrorCode.JOB_NOT_FOUND, "Key '" + Quoted.of(id) + "' cannot be found.");
  }
}
