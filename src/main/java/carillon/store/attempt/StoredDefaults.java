package carillon.store.attempt;

import carillon.job.name.IsoInstant;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.job.name.ShortName;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Defaults of the fields that the stored hash of a job leaves out. They are described in
 * redis-keys.md.
 */
public final class StoredDefaults {
  private StoredDefaults() {}

  /**
   * Returns the state of a job.
   *
   * @param field stored text; null means the default, enabled
   */
  public static JobState state(String field) {
    return field == null ? JobState.ENABLED : JobState.ofWord(field);
  }

  /**
   * Returns when a job was created.
   *
   * @param field stored text; if there is none, the revision of the last PUT, which is its instant
   *     in epoch ms
   * @throws RuntimeException if it is neither
   */
  public static Instant created(String field) {
    return field.endsWith("Z")
        ? IsoInstant.parse(field)
        : Instant.ofEpochMilli(Long.parseLong(field));
  }

  /**
   * Returns when a job was created, from the fields of its hash.
   *
   * @param fields text of a field by its name; null if it is left out
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
   * Returns the name of a job, {@code collection/job}, in its original case.
   *
   * @param field stored text; null, empty text or a foreign name means the case of the key
   */
  public static String name(String field, JobKey job) {
    return ShortName.stored(field == null ? "" : field, job);
  }

  /** Returns the stored form of a name; empty text if the name has the case of the key. */
  public static String storedName(JobName name) {
    String given = ShortName.of(name).toString();
    return given.equals(given.toLowerCase(Locale.ROOT)) ? "" : given;
  }
}
