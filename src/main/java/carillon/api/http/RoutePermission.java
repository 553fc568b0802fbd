package carillon.api.http;

import carillon.access.Caller;
import carillon.access.RequiredPermission;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.job.name.CollectionName;
import carillon.job.name.Quoted;
import carillon.store.collection.CollectionStore;
import java.util.function.Supplier;

/**
 * Permission that a route requires. For callers who may not see the resource of a path, it does not
 * exist.
 */
public enum RoutePermission {
  /** None: the caller is not even identified. */
  OPEN,
  /** Any identity; the answer shows what the caller may see. */
  KNOWN,
  ANY_ROLE,
  GLOBAL_READER,
  GLOBAL_OPERATOR,
  GLOBAL_ADMIN,
  /** Any permission in the subscription. */
  SUBSCRIPTION_SIGHT,
  COLLECTION_READER,
  COLLECTION_OPERATOR,
  COLLECTION_WRITER,
  /** Writer in the group around the collection. */
  GROUP_WRITER,
  /** Reader in the whole group of the resource. */
  GROUP_READER,
  /** Any permission in the group of the resource, such as a flow. */
  RESOURCE_READER,
  RESOURCE_OPERATOR,
  RESOURCE_WRITER,
  /** Operator in a part of the group of the flow; {@link FlowAccess} checks the part. */
  FLOW_OPERATOR,
  /** Writer likewise. */
  FLOW_WRITER;

  /** Refuses a caller who lacks this permission. */
  void check(ApiRequest request, Caller caller) {
    check(caller, required(request.path()), () -> hidden(request));
  }

  /** Whether the caller of a request has this permission. */
  public boolean permits(ApiRequest request) {
    return required(request.path()).decide(request.caller()) == RequiredPermission.Decision.ALLOWED;
  }

  /** Whether a caller with this permission can change the work of a node. */
  public boolean isOfChanges() {
    return switch (this) {
      case COLLECTION_OPERATOR,
          COLLECTION_WRITER,
          GROUP_WRITER,
          RESOURCE_OPERATOR,
          RESOURCE_WRITER,
          FLOW_OPERATOR,
          FLOW_WRITER ->
          true;
      default -> false;
    };
  }

  /** Whether it is about one collection. */
  boolean isOfCollection() {
    return switch (this) {
      case COLLECTION_READER, COLLECTION_OPERATOR, COLLECTION_WRITER, GROUP_WRITER -> true;
      default -> false;
    };
  }

  private RequiredPermission required(RoutePath path) {
    return switch (this) {
      case OPEN, KNOWN -> RequiredPermission.AUTHENTICATED;
      case ANY_ROLE -> RequiredPermission.ANY_ROLE;
      case GLOBAL_READER -> RequiredPermission.global(Role.READER);
      case GLOBAL_OPERATOR -> RequiredPermission.global(Role.OPERATOR);
      case GLOBAL_ADMIN -> RequiredPermission.global(Role.ADMIN);
      case SUBSCRIPTION_SIGHT ->
          RequiredPermission.sightOf(Scope.subscription(path.subscription()));
      case GROUP_READER -> RequiredPermission.of(Role.READER, group(path));
      case COLLECTION_READER -> RequiredPermission.of(Role.READER, collection(path));
      case COLLECTION_OPERATOR -> RequiredPermission.of(Role.OPERATOR, collection(path));
      case COLLECTION_WRITER -> RequiredPermission.of(Role.WRITER, collection(path));
      case RESOURCE_READER -> RequiredPermission.sightOf(group(path));
      case RESOURCE_OPERATOR -> RequiredPermission.of(Role.OPERATOR, group(path));
      case RESOURCE_WRITER -> RequiredPermission.of(Role.WRITER, group(path));
      case FLOW_OPERATOR -> RequiredPermission.inPartOf(Role.OPERATOR, group(path));
      case FLOW_WRITER -> RequiredPermission.inPartOf(Role.WRITER, group(path));
      case GROUP_WRITER ->
          RequiredPermission.of(Role.WRITER, collection(path).around(), collection(path));
    };
  }

  private static Scope group(RoutePath path) {
    return Scope.group(path.subscription(), path.group().orElseThrow());
  }

  private static Scope collection(RoutePath path) {
    CollectionName name = path.collection();
    return Scope.collection(name.subscription(), name.group(), name.collection());
  }

  private RuntimeException hidden(ApiRequest request) {
    RoutePath path = request.path();
    return switch (this) {
      case COLLECTION_READER, COLLECTION_OPERATOR, COLLECTION_WRITER, GROUP_WRITER ->
          CollectionStore.notFound(path.collection());
      case GROUP_READER, RESOURCE_READER, RESOURCE_OPERATOR, RESOURCE_WRITER ->
          path.route().envelope().hidden(request);
      case OPEN,
          KNOWN,
          ANY_ROLE,
          GLOBAL_READER,
          GLOBAL_OPERATOR,
          GLOBAL_ADMIN,
          SUBSCRIPTION_SIGHT,
          FLOW_OPERATOR,
          FLOW_WRITER ->
          request.notFound();
    };
  }

  /**
   * Refuses a caller who lacks the permission.
   *
   * @param hidden answer to callers who may not even know of the resource
   */
  public static void check(
      Caller caller, RequiredPermission permission, Supplier<? extends RuntimeException> hidden) {
    switch (permission.decide(caller)) {
      case FORBIDDEN ->
          throw HttpException.forbidden(
              "'"
                  + Quoted.of(caller.name())
                  + "' is not allowed to do this; the request needs "
                  + permission.text());
      case HIDDEN -> throw hidden.get();
      case ALLOWED -> {
        // goes on
      }
    }
  }
}
