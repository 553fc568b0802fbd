package carillon.job.name;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The full name of a job, in the case it was given. Its key is computed once: each request asks for
 * it several times. Immutable.
 */
public final class JobName {
  private final CollectionName collection;
  private final String job;
  private final String folded;
  private final String key;

  /**
   * A name, checked.
   *
   * @param collection the collection that the job is in
   * @param job the job's own name
   */
  public JobName(CollectionName collection, String job) {
    this.collection = collection;
    this.job = NameRules.check("job", job);
    this.folded = NameRules.fold(job);
    this.key = collection.key() + "/" + folded;
  }

  public CollectionName collection() {
    return collection;
  }

  public String job() {
    return job;
  }

  /** The case-folded form {@code sub/group/collection/job}, as used in Redis keys and members. */
  public String key() {
    return key;
  }

  /** The job's own name in lower case: the last part of its key. */
  public String folded() {
    return folded;
  }

  /** Returns this name with its collection in the case of the given one. */
  public JobName in(CollectionName other) {
    return collection.equals(other) ? this : new JobName(other, job);
  }

  /**
   * The partition of the job with this key: CRC-32 (IEEE 802.3) of its UTF-8 bytes modulo the
   * number of partitions, so that any program can compute it.
   */
  public static int partition(String key, int partitions) {
    CRC32 crc = new CRC32();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % partitions);
  }

  /** Compares names with their case. All names of one job have the same key. */
  @Override
  public boolean equals(Object other) {
    return other instanceof JobName name
        && job.equals(name.job)
        && collection.equals(name.collection);
  }

  @Override
  public int hashCode() {
    return 31 * collection.hashCode() + job.hashCode();
  }

  @Override
  public String toString() {
    return collection + "/" + job;
  }
}
