package carillon.job.name;

import java.util.List;

/**
 * The key of a job: its full name in lower case, {@code sub/group/collection/job}, as used in the
 * names and members of Redis keys.
 *
 * @param text as stored; not checked, since stored data may be damaged
 */
public record JobKey(String text) {
  private static final int SLASHES = 3;

  /** Whether a text has the four parts of a job's key, regardless of their content. */
  public static boolean hasItsForm(String text) {
    int slashes = 0;
    for (int at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
      slashes++;
    }
    return slashes == SLASHES;
  }

  /** Subscription, group, collection and job; fewer parts if this is not the key of a job. */
  public List<String> parts() {
    return List.of(text.split("/", SLASHES + 1));
  }

  /** The key of the job's collection; an empty text if this is not the key of a job. */
  public String collection() {
    return text.substring(0, Math.max(0, text.lastIndexOf('/')));
  }

  /**
   * The group of the job's collection, {@code sub/group}; an empty text if this is not the key of a
   * job.
   */
  public String group() {
    String collection = collection();
    return collection.substring(0, Math.max(0, collection.lastIndexOf('/')));
  }

  /** The job's own name. */
  public String name() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  /**
   * Returns the name of the job, in lower case.
   *
   * @throws RuntimeException when this is not the key of a job
   */
  public JobName jobName() {
    return CollectionName.parse(collection()).job(name());
  }
}
