package carillon.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A job as it is typed: {@code [COLLECTION/]JOB}, in the collection default unless it says so. */
record JobAddress(String collection, String job) {
  static final String LABEL = "[COLLECTION/]JOB";
  static final String DEFAULT = "default";
  private static final String COLLECTIONS = "/jobcollections";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

  /** Reads what was typed. */
  static final class Converter implements ITypeConverter<JobAddress> {
    @Override
    public JobAddress convert(String text) {
      int slash = text.indexOf('/');
      String collection = slash < 0 ? DEFAULT : text.substring(0, slash);
      String job = text.substring(slash + 1);
      if (!isName(collection) || !isName(job)) {
        throw new TypeConversionException("'" + text + "' is not [COLLECTION/]JOB");
      }
      return new JobAddress(collection, job);
    }
  }

  private static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** Where the collections are. */
  static String collections() {
    return COLLECTIONS;
  }

  static String pathOf(String collection) {
    return COLLECTIONS + "/" + encoded(collection);
  }

  static String jobsOf(String collection) {
    return pathOf(collection) + "/jobs";
  }

  /** A name from a file may be anything. */
  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  String path() {
    return jobsOf(collection) + "/" + encoded(job);
  }

  @Override
  public String toString() {
    return collection + "/" + job;
  }
}
