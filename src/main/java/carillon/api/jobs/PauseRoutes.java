package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.access.Scope;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.RoutePath;
import carillon.job.Pause;
import carillon.job.collection.Hold;
import carillon.job.collection.PauseScope;
import carillon.json.PauseCodec;
import carillon.json.StoredJson;
import carillon.store.Stores;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.ScopePauses;
import carillon.store.collection.ScopePauses.PauseChange;
import carillon.store.job.AuditLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handlers of the pause of a group, or of everything where the path names no group. */
public final class PauseRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(PauseRoutes.class);

  /** Beginning of the paths that name a group. */
  private static final String GROUPS = "/groups/";

  private final ScopePauses pauses;
  private final CollectionStore collections;
  private final AuditLog audit;

  public PauseRoutes(Stores stores) {
    this.pauses = stores.collection().scopePauses();
    this.collections = stores.collection().collections();
    this.audit = stores.job().auditLog();
  }

  /** Answers the pause, which may be planned. */
  public Future<ApiResponse> get(ApiRequest request) {
    return pauses.find(scope(request)).map(PauseRoutes::answer);
  }

  /** Lists the pauses of everything and of the groups of which the caller may see a part. */
  public Future<ApiResponse> list(ApiRequest request) {
    return pauses.all().map(all -> ApiResponse.json(200, PauseCodec.scopes(seen(all, request))));
  }

  private static List<Hold> seen(Map<String, Pause> all, ApiRequest request) {
    return all.entrySet().stream()
        .filter(one -> isSeen(new PauseScope(one.getKey()), request))
        .map(one -> Hold.ofScope(new PauseScope(one.getKey()), one.getValue()))
        .toList();
  }

  private static boolean isSeen(PauseScope scope, ApiRequest request) {
    return scope.isEverything() || request.caller().sees(Scope.parse(scope.group()));
  }

  /**
   * Begins or plans a pause; another one replaces it. Warns if the group has no collection: it is
   * allowed, and often a mistake.
   */
  public Future<ApiResponse> pause(ApiRequest request) {
    AuditContext context = request.auditContext();
    return change(
            request,
            current ->
                Optional.of(
                    PauseCodec.readScope(request.body(), current, context.by(), context.at())))
        .compose(
            change ->
                emptyGroup(scope(request))
                    .map(warning -> answer(change.after()).withWarning(warning)));
  }

  /** Ends the pause, or cancels a planned one. Warns if there is none. */
  public Future<ApiResponse> resume(ApiRequest request) {
    PauseScope scope = scope(request);
    return change(request, current -> current.flatMap(pause -> pause.resumed(request.now())))
        .compose(
            change ->
                change.before().isPresent()
                    ? Future.succeededFuture(answer(change.after()))
                    : emptyGroup(scope)
                        .map(
                            empty ->
                                answer(change.after())
                                    .withWarning(Optional.of(notPaused(scope, empty)))));
  }

  private static String notPaused(PauseScope scope, Optional<String> emptyGroup) {
    String what = scope.isEverything() ? "everything" : "the group '" + scope.group() + "'";
    return "nothing is paused: there was no pause of "
        + what
        + emptyGroup.map(warning -> "; " + warning).orElse("");
  }

  /** Warns that a group has no collection. */
  private Future<Optional<String>> emptyGroup(PauseScope scope) {
    if (scope.isEverything()) {
      return Future.succeededFuture(Optional.empty());
    }
    return collections
        .list(List.of(Scope.parse(scope.group() + "/*")), "", 0, 1)
        .map(
            page ->
                page.names().isEmpty()
                    ? Optional.of("there is no collection in the group '" + scope.group() + "'")
                    : Optional.empty());
  }

  private Future<PauseChange> change(ApiRequest request, UnaryOperator<Optional<Pause>> update) {
    PauseScope scope = scope(request);
    return pauses
        .change(scope, update, request.now())
        .compose(change -> noted(scope, change, request.auditContext()).map(change));
  }

  private Future<Void> noted(PauseScope scope, PauseChange change, AuditContext context) {
    if (change.after().equals(change.before())) {
      return Future.succeededFuture();
    }
    LOG.atInfo()
        .addKeyValue("scope", scope.key())
        .addKeyValue("by", context.by())
        .log(
            change.after().isPresent()
                ? "a client has paused a scope"
                : "a client has resumed a scope");
    return audit.note(
        context,
        scope.auditObject(),
        change.before().map(StoredJson::write),
        change.after().map(StoredJson::write));
  }

  private static PauseScope scope(ApiRequest request) {
    RoutePath path = request.path();
    return path.route().path().startsWith(GROUPS)
        ? PauseScope.group(path.subscription(), path.group().orElseThrow())
        : PauseScope.EVERYTHING;
  }

  private static ApiResponse answer(Optional<Pause> pause) {
    return ApiResponse.json(200, PauseCodec.scope(pause));
  }
}
