package carillon.access;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The caller of a request, and what they may do.
 *
 * @param name as logs have it
 * @param proof how they proved it
 * @param key id of the API key that they show, or signed in with; else empty
 */
public record Caller(String name, AuthenticationMethod proof, String key, List<Grant> grants) {

  /** How a caller proves who they are. */
  public enum AuthenticationMethod {
    /** They need not. */
    NONE,
    KEY,
    /** They signed in to the console, with a key or at the issuer of tokens. */
    SESSION,
    TOKEN,
    CERTIFICATE
  }

  /** The caller where nobody has to say who they are: they may do everything. */
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

  /** Who they are in one line: with the id of their key, where they showed one. */
  public String text() {
    return key.isEmpty() ? label() : name + " (key " + key + ")";
  }

  /**
   * Their name, told apart from those that others gave: what a token or certificate says begins
   * with {@code token:} or {@code cert:}, which no client of a key can be called.
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

  /** Whether they may see anything in this scope, or all of it. */
  public boolean sees(Scope scope) {
    return grants.stream().anyMatch(grant -> grant.scope().meets(scope));
  }

  /**
   * What they may see of a scope: disjoint parts of it in the order of names, of which the first
   * may be the whole.
   */
  public List<Scope> visible(Scope within) {
    if (may(Role.READER, within)) {
      return List.of(within);
    }
    List<Scope> parts = new ArrayList<>();
    grants.stream()
        .map(Grant::scope)
        .filter(within::covers)
        .sorted(Comparator.comparing(Caller::width))
        .filter(scope -> parts.stream().noneMatch(wider -> wider.covers(scope)))
        .forEach(parts::add);
    parts.sort(Comparator.comparing(Caller::place));
    return parts;
  }

  private static int width(Scope scope) {
    return scope.text().split("/", -1).length;
  }

  /** Where a scope's names begin among all; a group's come after {@code group/}. */
  private static String place(Scope scope) {
    return scope.subscription() + "/" + scope.group() + "/" + scope.collection();
  }
}
