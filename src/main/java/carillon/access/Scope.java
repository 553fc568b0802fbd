package carillon.access;

import carillon.job.name.CollectionPattern;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Scope of a permission: everything, a subscription, a resource group of it, or collections of a
 * group by a pattern of their names. Names are folded, since they are not case-sensitive.
 *
 * @param subscription empty for all
 * @param group empty for all
 * @param collections of the group; {@link CollectionPattern#ANY} for the group itself
 */
public record Scope(String subscription, String group, CollectionPattern collections) {
  /** All there is. */
  public static final Scope EVERYTHING = new Scope("", "", CollectionPattern.ANY);

  private static final String ALL = "*";

  /** Subscription and group of the native paths. */
  private static final String DEFAULT = "default";

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,127}");
  private static final String RULE =
      "a scope must be * (everything), a collection (orders), the beginning of collections"
          + " (orders-*), subscription/group, subscription/group/collection, or subscription/*";

  public Scope {
    subscription = fold(subscription);
    group = fold(group);
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  public static Scope subscription(String subscription) {
    return new Scope(subscription, "", CollectionPattern.ANY);
  }

  public static Scope group(String subscription, String group) {
    return new Scope(subscription, group, CollectionPattern.ANY);
  }

  /** The scope of one collection. */
  public static Scope collection(String subscription, String group, String collection) {
    return new Scope(subscription, group, new CollectionPattern(collection, false));
  }

  /**
   * Reads {@code *}, a pattern of collections of the default group, {@code subscription/group},
   * {@code subscription/group/pattern} or {@code subscription/*}.
   *
   * @throws IllegalArgumentException whose message is the rule
   */
  public static Scope parse(String text) {
    if (text.equals(ALL)) {
      return EVERYTHING;
    }
    String[] parts = fold(text).split("/", -1);
    return switch (parts.length) {
      case 1 -> new Scope(DEFAULT, DEFAULT, pattern(parts[0]));
      case 2 ->
          parts[1].equals(ALL)
              ? subscription(name(parts[0]))
              : group(name(parts[0]), name(parts[1]));
      case 3 -> new Scope(name(parts[0]), name(parts[1]), pattern(parts[2]));
      default -> throw malformed();
    };
  }

  /**
   * Reads a path of names: {@code subscription}, {@code subscription/group} or {@code
   * subscription/group/collection}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Scope ofPath(String path) {
    String[] names = fold(path).split("/", -1);
    for (String part : names) {
      name(part);
    }
    return switch (names.length) {
      case 1 -> subscription(names[0]);
      case 2 -> group(names[0], names[1]);
      case 3 -> collection(names[0], names[1], names[2]);
      default -> throw malformed();
    };
  }

  private static String name(String part) {
    if (!NAME.matcher(part).matches()) {
      throw malformed();
    }
    return part;
  }

  private static CollectionPattern pattern(String text) {
    try {
      return CollectionPattern.parse(text);
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
  }

  private static IllegalArgumentException malformed() {
    return new IllegalArgumentException(RULE);
  }

  /** Whether the other one lies within this one, or is the same. */
  public boolean covers(Scope other) {
    return (subscription.isEmpty() || subscription.equals(other.subscription))
        && (group.isEmpty() || group.equals(other.group))
        && collections.covers(other.collections);
  }

  /** Whether one of the two lies within the other. */
  public boolean meets(Scope other) {
    return covers(other) || other.covers(this);
  }

  /** Whether it is a subscription or a group, with all of its collections. */
  public boolean isWhole() {
    return collections.equals(CollectionPattern.ANY);
  }

  /** The group that a collection is in; of a group, itself. */
  public Scope around() {
    return group(subscription, group);
  }

  /** The names with slashes between them; empty for everything. */
  public String path() {
    return group.isEmpty()
        ? subscription
        : subscription + "/" + group + (isWhole() ? "" : "/" + collections);
  }

  /** The text of the scope, which {@link #parse} reads. */
  public String text() {
    if (subscription.isEmpty()) {
      return ALL;
    }
    if (group.isEmpty()) {
      return subscription + "/" + ALL;
    }
    boolean isPlain = !isWhole() && subscription.equals(DEFAULT) && group.equals(DEFAULT);
    return isPlain ? collections.toString() : path();
  }

  @Override
  public String toString() {
    return text();
  }
}
