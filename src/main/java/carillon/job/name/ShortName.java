package carillon.job.name;

import java.util.Locale;

/**
 * The name of a job within its subscription and resource group, in the case it was first given. It
 * is stored with the job, and its calls carry it. As text it is {@code collection/job}.
 */
public record ShortName(String collection, String job) {
  public static ShortName of(JobName name) {
    return new ShortName(name.collection().collection(), name.job());
  }

  /**
   * Returns the stored name of a job. If that does not match the key, returns the name in the case
   * of the key.
   */
  public static String stored(String text, JobKey key) {
    String collection = key.collection();
    String keyed = collection.substring(collection.lastIndexOf('/') + 1) + "/" + key.name();
    return text.toLowerCase(Locale.ROOT).equals(keyed) ? text : keyed;
  }

  /**
   * Reads the form that {@link #toString} writes.
   *
   * @throws RuntimeException when the text does not have that form
   */
  public static ShortName parse(String text) {
    int slash = text.indexOf('/');
    return new ShortName(text.substring(0, slash), jobIn(text));
  }

  /** Returns the job's own name from such a text, or the whole text if it is damaged. */
  public static String jobIn(String text) {
    return text.substring(text.indexOf('/') + 1);
  }

  @Override
  public String toString() {
    return collection + "/" + job;
  }
}
