package carillon.api;

import carillon.access.Demand;
import carillon.access.Identity;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.codec.AuditWriter;
import carillon.job.AuditFilter;
import carillon.job.Excerpt;
import carillon.job.JobException;
import carillon.store.AuditLog;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;

/** {@code GET /audit}: who changed what, newest first. */
final class AuditRoutes {
  private static final String SEPARATOR = "/";
  private static final int NAMES_OF_A_COLLECTION = 3;

  private final AuditLog log;

  AuditRoutes(AuditLog log) {
    this.log = log;
  }

  Future<Answer> audit(HttpServerRequest http, Identity caller) {
    Query query = Query.parse(http.query());
    AuditFilter filter = query.auditFilter();
    Gate.check(
        caller,
        Demand.of(Role.ADMIN, scope(filter.object())),
        () -> HttpRefusal.notFound(Excerpt.of(http.path())));
    return log.page(filter, query.after(), query.skip(), query.top())
        .map(
            page ->
                Answer.json(
                        200,
                        AuditWriter.page(
                            page.entries(),
                            page.after().map(token -> NextLink.of(http, query, token))))
                    .with(Map.of("Cache-Control", "no-store")));
  }

  /** The collection of a job, or what the object itself is. */
  private static Scope scope(String object) {
    if (object.isEmpty()) {
      return Scope.EVERYTHING;
    }
    String[] names = object.split(SEPARATOR, -1);
    try {
      if (names.length > NAMES_OF_A_COLLECTION + 1) {
        throw new IllegalArgumentException();
      }
      return Scope.parse(
          names.length <= NAMES_OF_A_COLLECTION
              ? object
              : object.substring(0, object.lastIndexOf(SEPARATOR)));
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(
          "$filter: object '"
              + Excerpt.of(object)
              + "' must be subscription, subscription/group, subscription/group/collection or"
              + " subscription/group/collection/job");
    }
  }
}
