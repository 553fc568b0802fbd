package carillon.access;

/**
 * Permission that a request needs. {@link #decide} is where everything is decided: no other place
 * compares roles.
 */
public final class RequiredPermission {
  private enum Kind {
    /** Nothing: every caller has it. */
    ANYBODY,
    /** To have any right at all. */
    ANY_GRANT,
    /** To see some part of the scope. */
    SIGHT,
    /** To have the role in the scope. */
    ROLE
  }

  /** To be known; what is shown is chosen by what they may see. */
  public static final RequiredPermission AUTHENTICATED =
      new RequiredPermission(Kind.ANYBODY, Role.READER, Scope.EVERYTHING, Scope.EVERYTHING);

  /** To have any role anywhere. */
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

  /** What becomes of the request. */
  public enum Decision {
    ALLOWED,
    /** They may see what they ask for, but not do this. */
    FORBIDDEN,
    /** To them it does not exist. */
    HIDDEN
  }

  /** A role in a scope that is also what is asked for. */
  public static RequiredPermission of(Role role, Scope scope) {
    return of(role, scope, scope);
  }

  /**
   * A role in a scope.
   *
   * @param object what is asked for: whoever may not see it is told that it is not there
   */
  public static RequiredPermission of(Role role, Scope scope, Scope object) {
    return new RequiredPermission(Kind.ROLE, role, scope, object);
  }

  /** A role in everything, for a resource whose existence is no secret. */
  public static RequiredPermission global(Role role) {
    return new RequiredPermission(Kind.ROLE, role, Scope.EVERYTHING, Scope.EVERYTHING);
  }

  /** To see some part of the scope. */
  public static RequiredPermission sightOf(Scope scope) {
    return new RequiredPermission(Kind.SIGHT, Role.READER, scope, scope);
  }

  /** The one function that decides. */
  public Decision decide(Caller caller) {
    boolean allowed =
        switch (kind) {
          case ANYBODY -> true;
          case ANY_GRANT -> !caller.grants().isEmpty();
          case SIGHT -> caller.sees(scope);
          case ROLE -> caller.may(role, scope);
        };
    if (allowed) {
      return Decision.ALLOWED;
    }
    boolean hides = kind == Kind.SIGHT || (kind == Kind.ROLE && !object.equals(Scope.EVERYTHING));
    return hides && !caller.sees(object) ? Decision.HIDDEN : Decision.FORBIDDEN;
  }

  /** What is asked for, to complete "needs". */
  public String text() {
    return switch (kind) {
      case ANYBODY -> "nothing";
      case ANY_GRANT -> "any role";
      case SIGHT, ROLE -> "the role " + role.word() + " in " + scope.text();
    };
  }
}
