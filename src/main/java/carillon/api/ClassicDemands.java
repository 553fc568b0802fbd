package carillon.api;

import carillon.access.Demand;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.job.ErrorCode;
import carillon.job.Excerpt;
import carillon.job.JobException;
import java.util.function.Supplier;

/**
 * What each path of the classic dialect demands of its caller, and what the caller is told when it
 * is hidden: the same as when it is not there. Where it leads to a collection or a job, {@link
 * Demands} says.
 */
final class ClassicDemands {
  private static final String GET = "GET";

  private ClassicDemands() {}

  /** Of a path. */
  static Demand of(ClassicPath path, String method) {
    Scope group = Scope.group(path.subscription(), path.name());
    return switch (path.kind()) {
      case CLOUD_SERVICES -> Demand.KNOWN;
      case CLOUD_SERVICE ->
          method.equals(GET) ? Demand.sightOf(group) : Demand.of(Role.WRITER, group);
      case COLLECTIONS -> Demand.of(Role.READER, group);
      case COLLECTION, JOBS -> Demands.of(path.resource().orElseThrow(), method);
      case ENTITLEMENT, OPERATION, REGISTRATION, PROVIDER, UNKNOWN ->
          Demand.sightOf(Scope.subscription(path.subscription()));
    };
  }

  /** What hides a path. */
  static Supplier<RuntimeException> hidden(ClassicPath path, String raw) {
    return switch (path.kind()) {
      case COLLECTION, JOBS -> Demands.hidden(path.resource().orElseThrow());
      case CLOUD_SERVICE, COLLECTIONS -> () -> noCloudService(path.name());
      case CLOUD_SERVICES, ENTITLEMENT, OPERATION, REGISTRATION, PROVIDER, UNKNOWN ->
          () -> HttpRefusal.notFound(Excerpt.of(raw));
    };
  }

  /** As it is told of a cloud service that is not there. */
  static JobException noCloudService(String name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "The cloud service '" + Excerpt.of(name) + "' was not found.");
  }
}
