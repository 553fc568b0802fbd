package carillon.job;

/**
 * The full name of a job collection, in the case it was given.
 *
 * @param subscription the Azure subscription, {@code default} in the native API
 * @param group the resource group, {@code default} in the native API
 * @param collection the collection's own name
 */
public record CollectionName(String subscription, String group, String collection) {
  public CollectionName {
    NameRules.check("subscription", subscription);
    NameRules.check("resource group", group);
    NameRules.check("job collection", collection);
  }

  /** The case-folded form {@code sub/group/collection}, as it stands in Redis keys. */
  public String key() {
    return NameRules.fold(subscription + "/" + group + "/" + collection);
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
}
