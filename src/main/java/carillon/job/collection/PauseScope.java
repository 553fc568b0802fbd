package carillon.job.collection;

import carillon.job.name.NameRules;
import java.util.List;
import java.util.Optional;

/**
 * Scope of a pause above collections: everything, or a group. Its marker is listed among the
 * disabled collections, under a key that no collection can have.
 *
 * @param key {@code *}, or {@code subscription/group/*} in lower case
 */
public record PauseScope(String key) {
  /** Everything on this installation. */
  public static final PauseScope EVERYTHING = new PauseScope("*");

  private static final String IN_GROUP = "/*";

  /** All collections of a group. */
  public static PauseScope group(String subscription, String group) {
    return new PauseScope(NameRules.fold(subscription + "/" + group) + IN_GROUP);
  }

  /** Returns the scope with this key; empty for the key of a collection. */
  public static Optional<PauseScope> ofKey(String key) {
    return key.equals(EVERYTHING.key) || key.endsWith(IN_GROUP)
        ? Optional.of(new PauseScope(key))
        : Optional.empty();
  }

  /** The group of the collection with this key. */
  public static PauseScope ofCollection(String collection) {
    return new PauseScope(
        collection.substring(0, collection.lastIndexOf('/') + 1) + EVERYTHING.key);
  }

  /** The keys under which a marker may hold back the jobs of a collection, the widest first. */
  public static List<String> markers(String collection) {
    return List.of(EVERYTHING.key, ofCollection(collection).key, collection);
  }

  /** The keys of the scopes around a collection, the widest first. */
  public static List<String> around(String collection) {
    return List.of(EVERYTHING.key, ofCollection(collection).key);
  }

  /** The name in the audit log, which no collection can have. */
  public String auditObject() {
    return "pause:" + (isEverything() ? key : group());
  }

  public boolean isEverything() {
    return equals(EVERYTHING);
  }

  /** {@code subscription/group}; empty for everything. */
  public String group() {
    return isEverything() ? "" : key.substring(0, key.length() - IN_GROUP.length());
  }
}
