package carillon.store.job;

import carillon.job.Attempt;
import carillon.job.IsoInstant;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.JobVersion;
import carillon.job.Pause;
import carillon.job.Quoted;
import carillon.job.ShortName;
import carillon.job.StoredJob;
import carillon.json.StoredJson;
import carillon.json.view.HistoryMarkCodec;
import carillon.store.attempt.StoredDefaults;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Reader of a job's hash in Redis. Fields that equal their default are not stored. */
final class JobHash {
  private final Response hash;

  JobHash(Response hash) {
    this.hash = hash;
  }

  boolean isMissing() {
    return hash == null || hash.size() == 0 || hash.get("revision") == null;
  }

  StoredJob read(JobName named) {
    JobKey key = new JobKey(named.key());
    number("epoch"); // not a part of the job, but one whose epoch cannot be read is damaged
    Instant created = StoredDefaults.created(this::textOrNull);
    JobState state = parsed("state", StoredDefaults::state);
    return new StoredJob(
        named.collection().job(ShortName.jobIn(StoredDefaults.name(textOrNull("name"), key))),
        StoredJson.readJob(key, text("definition")),
        state,
        parsed("revision", Long::parseLong),
        state == JobState.DISABLED ? Optional.empty() : instant("next"),
        instant("last"),
        Math.max(1, (int) number("occurrence")),
        new StoredJob.Counters(
            number("executions"), number("failures"), number("faulted"), number("skipped")),
        created,
        instant("modified").orElse(created),
        state == JobState.DISABLED ? pause() : Optional.empty());
  }

  private Optional<Pause> pause() {
    return Optional.ofNullable(textOrNull("pause"))
        .map(any -> parsed("pause", StoredJson::readPause));
  }

  /** A damaged job can still be replaced. */
  JobVersion version(String fingerprint, boolean isScheduled, JobName name) {
    try {
      return new JobVersion(
          fingerprint,
          Optional.of(read(name)),
          isScheduled,
          instant("next"),
          instant("claimedOccurrence"),
          Optional.ofNullable(hash.get("attemptRevision")).map(Response::toLong),
          Optional.ofNullable(hash.get("heldAttempt")).map(run -> Attempt.parse(run.toString())),
          marks());
    } catch (RuntimeException e) {
      return new JobVersion(
          fingerprint,
          Optional.empty(),
          isScheduled,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          marks());
    }
  }

  /** Empty text for none. */
  String marks() {
    return Objects.requireNonNullElse(textOrNull(HistoryMarkCodec.FIELD), "");
  }

  /**
   * Epoch of the collection when the job was written; 0 where it is damaged, as for the scripts.
   * Meaningful unless missing.
   */
  long epoch() {
    return epoch(hash.get("epoch"));
  }

  /**
   * Epoch that a field of this name holds.
   *
   * @param field null where there is none
   */
  static long epoch(Response field) {
    try {
      return field == null ? 0 : field.toLong();
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private Optional<Instant> instant(String field) {
    return Optional.ofNullable(textOrNull(field)).map(any -> parsed(field, IsoInstant::parse));
  }

  private long number(String field) {
    return parsed(field, value -> value == null ? 0 : Long.parseLong(value));
  }

  /**
   * A field as a parser reads it, which is given null where the field is missing.
   *
   * @throws IllegalStateException which names the field and its text
   */
  private <T> T parsed(String field, Function<String, T> parser) {
    String value = textOrNull(field);
    try {
      return parser.apply(value);
    } catch (RuntimeException e) {
      String text = Quoted.of(String.valueOf(value));
      throw new IllegalStateException(Quoted.field(field, text), e);
    }
  }

  private String textOrNull(String field) {
    return Objects.toString(hash.get(field), null);
  }

  private String text(String field) {
    String value = textOrNull(field);
    if (value == null) {
      throw new IllegalStateException("its hash has no field '" + field + "'");
    }
    return value;
  }
}
