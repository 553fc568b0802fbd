package carillon.job;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The full name of a job, in the case it was given.
 *
 * @param collection the collection that the job is in
 * @param job the job's own name
 */
public record JobName(CollectionName collection, String job) {
  public JobName {
    NameRules.check("job", job);
  }

  /**
   * The case-folded form {@code sub/group/collection/job}, as it stands in Redis keys and members.
   */
  public String key() {
    return collection.key() + "/" + folded();
  }

  /** The job's own name in lower case: the last part of its key. */
  public String folded() {
    return NameRules.fold(job);
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
}
