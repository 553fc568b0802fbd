package carillon.job;

/**
 * The name of a job within its subscription and resource group, in the case it was first given:
 * what is stored with the job, and what its calls carry. As text it is {@code collection/job}.
 */
public record ShortName(String collection, String job) {
  public static ShortName of(JobName name) {
    return new ShortName(name.collection().collection(), name.job());
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
