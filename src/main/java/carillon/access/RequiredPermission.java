package carillon.access;

/** Permission that a request needs. {@link #decide} is the only place that compares roles. */
public final class RequiredPermission {
  private enum Kind {
    /** Permission that every caller has. */
    ANYBODY,
    /** Any right at all. */
    ANY_GRANT,
    /** Sight of some part of the scope. */
    SIGHT,
    /** The role in some part of the scope. */
    PART,
    /** The role in the scope. */
    ROLE
  }

  /** Permission for authenticated callers. The answer shows only what they may see. */
  public static final RequiredPermission AUTHENTICATED =
      new RequiredPermission(Kind.ANYBODY, Role.READER, Scope.EVERYTHING, Scope.EVERYTHING);

  /** Permission for callers with any role anywhere. */
  public static final RequiredPermission ANY_ROLE =
      new RequiredPermission(Kind.ANY_GRANT, Role.READER, Scope.EVERYTHING, Scope.EVERYTHING);

  private final Kind kind;
  private final Role role;
  private final Scope scope;
  private final Scope object;

  private RequiredPermission(Kind kind, Role role, Scope scope, Scope object) {
    this.kind = kind;
    this.role = role;
    this.scope = scope;
    this.object = object;
  }

  /** Decision about the request. */
  public enum Decision {
    ALLOWED,
    /** The caller may see the requested object, but not do this. */
    FORBIDDEN,
    /** The object does not exist for the caller. */
    HIDDEN
  }

  /** Returns the permission with a role in a scope that is also the requested object. */
  public static RequiredPermission of(Role role, Scope scope) {
    return of(role, scope, scope);
  }

  /**
   * Returns the permission with a role in a scope.
   *
   * @param object the requested object; it does not exist for callers who may not see it
   */
  public static RequiredPermission of(Role role, Scope scope, Scope object) {
    return new RequiredPermission(Kind.ROLE, role, scope, object);
  }

  /** A role in everything, for a resource whose existence is no secret. */
  public static RequiredPermission global(Role role) {
    return new RequiredPermission(Kind.ROLE, role, Scope.EVERYTHING, Scope.EVERYTHING);
  }

  /** Returns the permission to see some part of the scope. */
  public static RequiredPermission sightOf(Scope scope) {
    return new RequiredPermission(Kind.SIGHT, Role.READER, scope, scope);
  }

  /** Returns the permission with a role in some part of the scope; the handler checks the part. */
  public static RequiredPermission inPartOf(Role role, Scope scope) {
    return new RequiredPermission(Kind.PART, role, scope, scope);
  }

  /** The one function that decides. */
  public Decision decide(Caller caller) {
    boolean allowed =
        switch (kind) {
          case ANYBODY -> true;
          case ANY_GRANT -> !caller.grants().isEmpty();
          case SIGHT -> caller.sees(scope);
          case PART -> caller.mayInPart(role, scope);
          case ROLE -> caller.may(role, scope);
        };
    if (allowed) {
      return Decision.ALLOWED;
    }
    boolean hides =
        kind == Kind.SIGHT
            || kind == Kind.PART
            || (kind == Kind.ROLE && !object.equals(Scope.EVERYTHING));
    return hides && !caller.sees(object) ? Decision.HIDDEN : Decision.FORBIDDEN;
  }

  /** Returns the needed permission, to complete "needs". */
  public String text() {
    return switch (kind) {
      case ANYBODY -> "nothing";
      case ANY_GRANT -> "any role";
      case SIGHT, PART, ROLE -> "the role " + role.word() + " in " + scope.text();
    };
  }
}
