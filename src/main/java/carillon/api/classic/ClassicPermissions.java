package carillon.api.classic;

import carillon.access.RequiredPermission;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.api.http.HttpException;
import carillon.api.http.RoutePermissions;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.Quoted;
import java.util.function.Supplier;

/**
 * What each path of the classic dialect demands of its caller, and what the caller is told when it
 * is hidden: the same as when it is not there. Where it leads to a collection or a job, {@link
 * RoutePermissions} says.
 */
final class ClassicPermissions {
  private static final String GET = "GET";

  private ClassicPermissions() {}

  /** Of a path. */
  static RequiredPermission of(ClassicPath path, String method) {
    Scope group = Scope.group(path.subscription(), path.name());
    return switch (path.kind()) {
      case CLOUD_SERVICES -> RequiredPermission.AUTHENTICATED;
      case CLOUD_SERVICE ->
          method.equals(GET)
              ? RequiredPermission.sightOf(group)
              : RequiredPermission.of(Role.WRITER, group);
      case COLLECTIONS -> RequiredPermission.of(Role.READER, group);
      case COLLECTION, JOBS -> RoutePermissions.of(path.resource().orElseThrow(), method);
      case ENTITLEMENT, OPERATION, REGISTRATION, PROVIDER, UNKNOWN ->
          RequiredPermission.sightOf(Scope.subscription(path.subscription()));
    };
  }

  /** What hides a path. */
  static Supplier<RuntimeException> hidden(ClassicPath path, String raw) {
    return switch (path.kind()) {
      case COLLECTION, JOBS -> RoutePermissions.hidden(path.resource().orElseThrow());
      case CLOUD_SERVICE, COLLECTIONS -> () -> noCloudService(path.name());
      case CLOUD_SERVICES, ENTITLEMENT, OPERATION, REGISTRATION, PROVIDER, UNKNOWN ->
          () -> HttpException.notFound(Quoted.of(raw));
    };
  }

  /** As it is told of a cloud service that is not there. */
  static JobException noCloudService(String name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "The cloud service '" + Quoted.of(name) + "' was not found.");
  }
}
