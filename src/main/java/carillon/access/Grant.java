package carillon.access;

/** A role within a scope. */
public record Grant(Role role, Scope scope) {

  /**
   * Reads {@code role} (of everything) or {@code role:scope}.
   *
   * @throws IllegalArgumentException whose message is the rule
   */
  public static Grant parse(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? new Grant(Role.of(text), Scope.EVERYTHING)
        : new Grant(Role.of(text.substring(0, colon)), Scope.parse(text.substring(colon + 1)));
  }

  /** The text of the grant, which {@link #parse} reads. */
  public String text() {
    return role.word() + ":" + scope.text();
  }

  boolean allows(Role wanted, Scope where) {
    return role.includes(wanted) && scope.covers(where);
  }
}
