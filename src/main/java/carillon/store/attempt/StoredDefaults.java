package carillon.store.attempt;

import carillon.job.IsoInstant;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.ShortName;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defaults of the fields that the stored hash of a job leaves out; redis-keys.md tells of them. */
public final class StoredDefaults {
  private StoredDefaults() {}

  /**
   * The state of a job.
   *
   * @param field as stored; null where it is left out: enabled
   */
  public static JobState state(String field) {
    return field == null ? JobState.ENABLED : JobState.ofWord(field);
  }

  /**
   * When a job was created.
   *
   * @param field as stored, or, where it is left out, the revision of the last PUT: that is the
   *     instant of the PUT in epoch ms
   * @throws RuntimeException when it is neither
   */
  public static Instant created(String field) {
    return field.endsWith("Z")
        ? IsoInstant.parse(field)
        : Instant.ofEpochMilli(Long.parseLong(field));
  }

  /**
   * The instant at which a job was created, from the fields of its hash.
   *
   * @param fields the text of a field by its name; null where it is left out
   */
  public static Instant created(Function<String, String> fields) {
    return created(
        Stream.of("created", "putRevision", "revision")
            .map(fields)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow());
  }

  /**
   * The name of a job, {@code collection/job}, in the case it was given.
   *
   * @param field as stored; null or empty text where it is left out: the case of the key, as for
   *     what is no name of it
   */
  public static String name(String field, JobKey job) {
    return ShortName.stored(field == null ? "" : field, job);
  }

  /** What is stored of a name: empty text where it is the case of the key. */
  public static String storedName(JobName name) {
    String given = ShortName.of(name).toString();
    return given.equals(given.toLowerCase(Locale.ROOT)) ? "" : given;
  }
}
