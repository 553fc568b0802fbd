package carillon.job;

import java.util.Locale;

/**
 * The name of a job within its subscription and resource group, in the case it was first given:
 * what is stored with the job, and what its calls carry. As text it is {@code collection/job}.
 */
public record ShortName(String collection, String job) {
  public static ShortName of(JobName name) {
    return new ShortName(name.collection().collection(), name.job());
  }

  /**
   * The text that is stored of a job's name, or where that is no name of its key the text in the
   * case of the key.
   */
  public static String stored(String text, JobKey key) {
    String collection = key.collection();
    String keyed = collection.substring(collection.lastIndexOf('/') + 1) + "/" + key.name();
    return text.toLowerCase(Locale.ROOT).equals(keyed) ? text : keyed;
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws RuntimeException when it did not write this
   */
  public static ShortName parse(String text) {
    int slash = text.indexOf('/');
    return new ShortName(text.substring(0, slash), jobIn(text));
  }

  /** The job's own name in such a text; the whole text when it is damaged. */
  public static String jobIn(String text) {
    return text.substring(text.indexOf('/') + 1);
  }

  @Override
  public String toString() {
    return collection + "/" + job;
  }
}
