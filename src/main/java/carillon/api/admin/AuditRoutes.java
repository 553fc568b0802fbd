package carillon.api.admin;

import carillon.access.AuditEntry.AuditFilter;
import carillon.access.RequiredPermission;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.QueryParameters;
import carillon.api.http.RoutePermission;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.view.AuditWriter;
import carillon.store.job.AuditLog;
import io.vertx.core.Future;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Handler of {@code GET /audit}: who changed what, newest first. */
public final class AuditRoutes {
  private static final String SEPARATOR = "/";
  private static final int NAMES_OF_A_COLLECTION = 3;

  /** Resources in a group that are not collections, with the name of the group. */
  private static final Pattern OF_GROUP =
      Pattern.compile("(?:calendar|flow):([^/:]+/[^/:]+)/[^/:]+|pause:([^/:]+/[^/:]+)");

  /**
   * Objects outside all groups: API keys, sessions of the token issuer, the pause of everything.
   */
  private static final Pattern OF_NOBODY = Pattern.compile("key:[^/:]+|session:token:.+|pause:\\*");

  private final AuditLog log;

  public AuditRoutes(AuditLog log) {
    this.log = log;
  }

  /** Answers a page of changes. The required permission depends on the object of the changes. */
  public Future<ApiResponse> list(ApiRequest request) {
    QueryParameters query = request.query();
    AuditFilter filter = query.auditFilter();
    RoutePermission.check(
        request.caller(),
        RequiredPermission.of(Role.ADMIN, scope(filter.object())),
        request::notFound);
    return log.page(filter, query.after(), query.skip(), query.top())
        .map(
            page ->
                ApiResponse.json(
                        200, AuditWriter.page(page.entries(), page.after().map(request::nextLink)))
                    .with(Map.of("Cache-Control", "no-store")));
  }

  /**
   * Returns the collection of a job, the group of a calendar or a flow, or the scope of the object
   * itself.
   */
  private static Scope scope(String object) {
    if (object.isEmpty() || OF_NOBODY.matcher(object).matches()) {
      return Scope.EVERYTHING;
    }
    Matcher ofGroup = OF_GROUP.matcher(object);
    return scopeOfNames(
        !ofGroup.matches()
            ? object
            : ofGroup.group(1) != null ? ofGroup.group(1) : ofGroup.group(2));
  }

  private static Scope scopeOfNames(String object) {
    String[] names = object.split(SEPARATOR, -1);
    try {
      if (names.length > NAMES_OF_A_COLLECTION + 1) {
        throw new IllegalArgumentException();
      }
      return Scope.ofPath(
          names.length <= NAMES_OF_A_COLLECTION
              ? object
              : object.substring(0, object.lastIndexOf(SEPARATOR)));
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(
          "$filter: object '"
              + Quoted.of(object)
              + "' must be subscription, subscription/group, subscription/group/collection,"
              + " subscription/group/collection/job, calendar:subscription/group/calendar,"
              + " flow:subscription/group/flow, pause:subscription/group, pause:*, key:id or"
              + " session:token:name");
    }
  }
}
