package carillon.access;

import java.util.List;

/**
 * Caller of a request, and their rights.
 *
 * @param name as logs have it
 * @param proof method of authentication
 * @param key id of the API key of the request or the sign-in; else empty
 */
public record Caller(String name, AuthenticationMethod proof, String key, List<Grant> grants) {

  /** Method by which a caller authenticates. */
  public enum AuthenticationMethod {
    /** No authentication is required. */
    NONE,
    KEY,
    /** Sign-in to the console, with a key or at the issuer of tokens. */
    SESSION,
    TOKEN,
    CERTIFICATE
  }

  /** Caller if no authentication is required: they may do everything. */
  public static final Caller ANONYMOUS =
      new Caller(
          "anybody",
          AuthenticationMethod.NONE,
          "",
          List.of(new Grant(Role.ADMIN, Scope.EVERYTHING)));

  private static final String TOKEN_LABEL = "token:";

  public Caller {
    grants = List.copyOf(grants);
  }

  /** Returns the name of the caller in one line, with the id of their key if they used one. */
  public String text() {
    return key.isEmpty() ? label() : name + " (key " + key + ")";
  }

  /**
   * Returns the name with its source. The name in a token or certificate begins with {@code token:}
   * or {@code cert:}, and no client of a key can have such a name.
   */
  public String label() {
    return switch (proof) {
      case TOKEN -> TOKEN_LABEL + name;
      case CERTIFICATE -> "cert:" + name;
      case SESSION -> key.isEmpty() ? TOKEN_LABEL + name : name;
      case NONE, KEY -> name;
    };
  }

  /**
   * Whether a line of text can hold the name: nothing in it ends the line or hides what follows.
   */
  public static boolean isPrintable(String name) {
    return name.codePoints().noneMatch(Caller::isInvisible);
  }

  private static boolean isInvisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  /** Whether they have this role, or a higher one, in all of this scope. */
  public boolean may(Role role, Scope scope) {
    // By hand: every request asks.
    for (int i = 0; i < grants.size(); i++) {
      if (grants.get(i).allows(role, scope)) {
        return true;
      }
    }
    return false;
  }

  /** Whether they have this role, or a higher one, in some part of this scope. */
  boolean mayInPart(Role role, Scope scope) {
    return grants.stream()
        .anyMatch(grant -> grant.role().includes(role) && grant.scope().meets(scope));
  }

  /** Returns the part of all collections that they may read. */
  public Visibility visibility() {
    return new Visibility(grants.stream().map(Grant::scope).toList());
  }

  /** Whether they may see anything in this scope, or all of it. */
  public boolean sees(Scope scope) {
    return visibility().meets(scope);
  }

  /** Returns the parts of a scope that they may read; {@link Visibility#within}. */
  public List<Scope> visible(Scope within) {
    return visibility().within(within);
  }
}
