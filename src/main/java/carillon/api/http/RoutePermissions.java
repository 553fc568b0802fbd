package carillon.api.http;

import carillon.access.RequiredPermission;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.job.CollectionName;
import carillon.store.collection.CollectionStore;
import java.util.function.Supplier;

/**
 * What each resource demands of whoever asks for it, and what he is told when it is hidden from
 * him: the same as when it is not there. The switches name every kind of path, so that a new one
 * does not compile without a rule. Those of the classic paths are in {@code ClassicPermissions}.
 */
public final class RoutePermissions {
  private static final String GET = "GET";

  private RoutePermissions() {}

  /** Of a resource in any dialect. */
  public static RequiredPermission of(ResourcePath path, String method) {
    return switch (path.kind()) {
      case COLLECTIONS -> RequiredPermission.AUTHENTICATED;
      case COLLECTION ->
          isRead(method)
              ? RequiredPermission.of(Role.READER, scope(path))
              : RequiredPermission.of(Role.WRITER, scope(path).around(), scope(path));
      case COLLECTION_ENABLE, COLLECTION_DISABLE, JOB_RUN, JOB_ENABLE, JOB_DISABLE ->
          RequiredPermission.of(Role.OPERATOR, scope(path));
      case JOBS -> RequiredPermission.of(ofJobs(method), scope(path));
      case COLLECTION_SEARCH, JOB_OCCURRENCES -> RequiredPermission.of(Role.READER, scope(path));
      case JOB_VALIDATE -> RequiredPermission.of(Role.WRITER, scope(path));
      case JOB, HISTORY, HISTORY_ENTRY ->
          RequiredPermission.of(isRead(method) ? Role.READER : Role.WRITER, scope(path));
    };
  }

  /** A PATCH of all jobs can but enable and disable them. */
  private static Role ofJobs(String method) {
    return switch (method) {
      case GET -> Role.READER;
      case "PATCH" -> Role.OPERATOR;
      default -> Role.WRITER;
    };
  }

  private static boolean isRead(String method) {
    return method.equals(GET);
  }

  private static Scope scope(ResourcePath path) {
    CollectionName name = path.collection();
    return new Scope(name.subscription(), name.group(), name.collection());
  }

  /** What hides a resource. */
  public static Supplier<RuntimeException> hidden(ResourcePath path) {
    return () -> CollectionStore.notFound(path.collection());
  }

  /** Of what Resource Manager told about the provider. */
  public static RequiredPermission of(ProviderPath path) {
    return switch (path.kind()) {
      case OPERATIONS -> RequiredPermission.ANY_ROLE;
      case PROVIDERS, PROVIDER, REGISTER ->
          RequiredPermission.sightOf(Scope.subscription(path.subscription()));
    };
  }
}
