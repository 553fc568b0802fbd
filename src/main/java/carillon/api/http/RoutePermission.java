package carillon.api.http;

import carillon.access.Caller;
import carillon.access.RequiredPermission;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.Quoted;
import carillon.store.collection.CollectionStore;
import java.util.function.Supplier;

/**
 * What a route asks of its caller. Whoever may not even see what a path names is told that it is
 * not there.
 */
public enum RoutePermission {
  /** Nothing: it is not asked who calls. */
  OPEN,
  /** To be known; what the answer shows depends on what the caller may see. */
  KNOWN,
  ANY_ROLE,
  GLOBAL_READER,
  GLOBAL_ADMIN,
  /** To see something of the subscription. */
  SUBSCRIPTION_SIGHT,
  /** To see something of the cloud service, which is a group. */
  CLOUD_SERVICE_SIGHT,
  CLOUD_SERVICE_READER,
  CLOUD_SERVICE_WRITER,
  COLLECTION_READER,
  COLLECTION_OPERATOR,
  COLLECTION_WRITER,
  /** To be a writer in the group around the collection. */
  GROUP_WRITER;

  /** Refuses a caller who has not got this permission. */
  void check(ApiRequest request, Caller caller) {
    check(caller, required(request.path()), () -> hidden(request));
  }

  private RequiredPermission required(RoutePath path) {
    return switch (this) {
      case OPEN, KNOWN -> RequiredPermission.AUTHENTICATED;
      case ANY_ROLE -> RequiredPermission.ANY_ROLE;
      case GLOBAL_READER -> RequiredPermission.global(Role.READER);
      case GLOBAL_ADMIN -> RequiredPermission.global(Role.ADMIN);
      case SUBSCRIPTION_SIGHT ->
          RequiredPermission.sightOf(Scope.subscription(path.subscription()));
      case CLOUD_SERVICE_SIGHT -> RequiredPermission.sightOf(group(path));
      case CLOUD_SERVICE_READER -> RequiredPermission.of(Role.READER, group(path));
      case CLOUD_SERVICE_WRITER -> RequiredPermission.of(Role.WRITER, group(path));
      case COLLECTION_READER -> RequiredPermission.of(Role.READER, collection(path));
      case COLLECTION_OPERATOR -> RequiredPermission.of(Role.OPERATOR, collection(path));
      case COLLECTION_WRITER -> RequiredPermission.of(Role.WRITER, collection(path));
      case GROUP_WRITER ->
          RequiredPermission.of(Role.WRITER, collection(path).around(), collection(path));
    };
  }

  private static Scope group(RoutePath path) {
    return Scope.group(path.subscription(), path.group().orElseThrow());
  }

  private static Scope collection(RoutePath path) {
    CollectionName name = path.collection();
    return new Scope(name.subscription(), name.group(), name.collection());
  }

  private RuntimeException hidden(ApiRequest request) {
    RoutePath path = request.path();
    return switch (this) {
      case COLLECTION_READER, COLLECTION_OPERATOR, COLLECTION_WRITER, GROUP_WRITER ->
          CollectionStore.notFound(path.collection());
      case CLOUD_SERVICE_SIGHT, CLOUD_SERVICE_READER, CLOUD_SERVICE_WRITER ->
          noCloudService(path.group().orElseThrow());
      case OPEN, KNOWN, ANY_ROLE, GLOBAL_READER, GLOBAL_ADMIN, SUBSCRIPTION_SIGHT ->
          request.notFound();
    };
  }

  /** As it is told of a cloud service that is not there. */
  public static JobException noCloudService(String name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "The cloud service '" + Quoted.of(name) + "' was not found.");
  }

  /**
   * Refuses what the caller may not do.
   *
   * @param hidden what callers are told who may not even know of it
   */
  public static void check(
      Caller caller, RequiredPermission permission, Supplier<? extends RuntimeException> hidden) {
    switch (permission.decide(caller)) {
      case FORBIDDEN ->
          throw HttpException.forbidden(
              "'" + Quoted.of(caller.name()) + "' may not do this: it needs " + permission.text());
      case HIDDEN -> throw hidden.get();
      case ALLOWED -> {
        // goes on
      }
    }
  }
}
