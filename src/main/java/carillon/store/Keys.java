package carillon.store;

import carillon.job.CollectionName;
import carillon.job.JobName;

/**
 * The names of all Redis keys: nothing else writes one down. {@code {17}} is the hash tag of
 * partition 17, so that a partition lives in one Cluster slot and a script stays in one partition.
 *
 * @param prefix of every key, {@code carillon} unless configured
 * @param partitions number of partitions, fixed at the first start
 */
public record Keys(String prefix, int partitions) {

  String meta() {
    return prefix + ":meta";
  }

  String nodes() {
    return prefix + ":nodes";
  }

  String gates() {
    return prefix + ":gates";
  }

  String collections(String subscription) {
    return prefix + ":collections:" + subscription;
  }

  String collection(CollectionName name) {
    return prefix + ":collection:" + name.key();
  }

  String due(int partition) {
    return slot(partition) + "due";
  }

  String claims(int partition, String node) {
    return slot(partition) + "claims:" + node;
  }

  String gated(int partition, String collection) {
    return slot(partition) + "gated:" + collection;
  }

  /** Ends where the job's key begins. */
  String jobPrefix(int partition) {
    return slot(partition) + "job:";
  }

  String job(int partition, String job) {
    return jobPrefix(partition) + job;
  }

  /** The index of this collection's jobs, in one partition. */
  String jobs(int partition, String collection) {
    return slot(partition) + "jobs:" + collection;
  }

  /** Ends where the job's key begins. */
  String historyPrefix(int partition) {
    return slot(partition) + "history:";
  }

  String history(int partition, String job) {
    return historyPrefix(partition) + job;
  }

  /**
   * A key that never exists, in the slot of another: with it a script does not run on a slot that
   * is on the move; see {@link ClusterRoute}.
   */
  static String whole(String key) {
    int tag = key.indexOf("}:");
    return tag > 0
        ? key.substring(0, tag) + "}:whole"
        : key.substring(0, key.indexOf(':')) + ":whole:{" + key + "}";
  }

  /** The partition that a job lives in. */
  public int partition(String job) {
    return JobName.partition(job, partitions);
  }

  /** The key of the collection that a job is in. */
  static String collectionOf(String job) {
    return job.substring(0, job.lastIndexOf('/'));
  }

  private String slot(int partition) {
    return prefix + ":{" + partition + "}:";
  }
}
