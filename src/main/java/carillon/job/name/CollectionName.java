package carillon.job.name;

import java.util.Objects;

/**
 * The full name of a job collection, in the case it was given. Its key is computed once: each
 * request and each call ask for it several times. Immutable.
 */
public final class CollectionName {
  private final String subscription;
  private final String group;
  private final String collection;
  private final String key;

  /**
   * A name, checked.
   *
   * @param subscription the Azure subscription, {@code default} in the native API
   * @param group the resource group, {@code default} in the native API
   * @param collection the collection's own name
   */
  public CollectionName(String subscription, String group, String collection) {
    this.subscription = NameRules.check("subscription", subscription);
    this.group = NameRules.check("resource group", group);
    this.collection = NameRules.check("job collection", collection);
    this.key = NameRules.fold(subscription + "/" + group + "/" + collection);
  }

  public String subscription() {
    return subscription;
  }

  public String group() {
    return group;
  }

  public String collection() {
    return collection;
  }

  /** The case-folded form {@code sub/group/collection}, as used in Redis keys. */
  public String key() {
    return key;
  }

  /** Reads {@code sub/group/collection}. */
  public static CollectionName parse(String path) {
    String[] parts = path.split("/", -1);
    return new CollectionName(parts[0], parts[1], parts[2]);
  }

  /** The full name of a job in this collection. */
  public JobName job(String job) {
    return new JobName(this, job);
  }

  /** Compares names with their case. All names of one collection have the same key. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CollectionName name
        && collection.equals(name.collection)
        && group.equals(name.group)
        && subscription.equals(name.subscription);
  }

  @Override
  public int hashCode() {
    return Objects.hash(subscription, group, collection);
  }

  @Override
  public String toString() {
    return subscription + "/" + group + "/" + collection;
  }
}
