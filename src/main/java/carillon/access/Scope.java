package carillon.access;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Scope of a permission: everything, a subscription, a resource group of it, or one collection.
 * Names are folded, since they are not case-sensitive.
 *
 * @param subscription empty for all
 * @param group empty for all
 * @param collection empty for all
 */
public record Scope(String subscription, String group, String collection) {
  /** All there is. */
  public static final Scope EVERYTHING = new Scope("", "", "");

  private static final String ALL = "*";
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,127}");

  public Scope {
    subscription = fold(subscription);
    group = fold(group);
    collection = fold(collection);
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  public static Scope subscription(String subscription) {
    return new Scope(subscription, "", "");
  }

  public static Scope group(String subscription, String group) {
    return new Scope(subscription, group, "");
  }

  /**
   * Reads {@code *}, {@code subscription}, {@code subscription/group} or {@code
   * subscription/group/collection}.
   *
   * @throws IllegalArgumentException whose message is the rule
   */
  public static Scope parse(String text) {
    if (text.equals(ALL)) {
      return EVERYTHING;
    }
    String[] parts = fold(text).split("/", -1);
    if (parts.length > 3) {
      throw malformed();
    }
    for (String part : parts) {
      if (!NAME.matcher(part).matches()) {
        throw malformed();
      }
    }
    return new Scope(parts[0], parts.length > 1 ? parts[1] : "", parts.length > 2 ? parts[2] : "");
  }

  private static IllegalArgumentException malformed() {
    return new IllegalArgumentException(
        "a scope must be *, subscription, subscription/group or subscription/group/collection");
  }

  /** Whether the other one lies within this one, or is the same. */
  public boolean covers(Scope other) {
    return (subscription.isEmpty() || subscription.equals(other.subscription))
        && (group.isEmpty() || group.equals(other.group))
        && (collection.isEmpty() || collection.equals(other.collection));
  }

  /** Whether one of the two lies within the other. */
  public boolean meets(Scope other) {
    return covers(other) || other.covers(this);
  }

  /** The group that a collection is in; of a group, itself. */
  public Scope around() {
    return new Scope(subscription, group, "");
  }

  /** The text of the scope, which {@link #parse} reads. */
  public String text() {
    if (subscription.isEmpty()) {
      return ALL;
    }
    return group.isEmpty()
        ? subscription
        : subscription + "/" + group + (collection.isEmpty() ? "" : "/" + collection);
  }

  @Override
  public String toString() {
    return text();
  }
}
