package carillon.store.job;

import carillon.job.JobVersion;
import carillon.job.Pause;
import carillon.job.StoredJob;
import carillon.job.attempt.Attempt;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.job.name.Quoted;
import carillon.job.name.ShortName;
import carillon.json.StoredJson;
import carillon.json.view.HistoryMarkCodec;
import carillon.store.attempt.StoredDefaults;
import io.vertx.redis.client.Response;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reader of a job's hash in Redis. Fields that equal their default are not stored. */
final class JobHash {
  /**
   * Replacement for bytes that are not UTF-8 in a decoded text. A valid text may contain it too.
   */
  private static final char REPLACEMENT = '\uFFFD';

  /** Greatest epoch that scripts can count exactly. */
  private static final long MAX_EPOCH = 999_999_999_999_999L;

  private static final Pattern HUGE = Pattern.compile("\\d{19,}");

  private final Response hash;

  JobHash(Response hash) {
    this.hash = hash;
  }

  boolean isMissing() {
    return hash == null || hash.size() == 0 || hash.get("revision") == null;
  }

  StoredJob read(JobName named) {
    JobKey key = new JobKey(named.key());
    parsed("epoch", JobHash::checkedEpoch); // not a part of the job, but a bad one damages the job
    Instant created = StoredDefaults.created(this::textOrNull);
    JobState state = parsed("state", StoredDefaults::state);
    return new StoredJob(
        named.collection().job(ShortName.jobIn(StoredDefaults.name(plain("name"), key))),
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

  /**
   * Returns the version for a change. It has no job if the job is damaged, so that a damaged job
   * can still be replaced.
   */
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

  /** Returns the stored marks; empty text for none. */
  String marks() {
    return Objects.requireNonNullElse(plain(HistoryMarkCodec.FIELD), "");
  }

  /**
   * Returns the collection's epoch at the time the job was written. It is 0 if the field is no
   * number, as in the scripts. Meaningless if the job is missing.
   */
  long epoch() {
    return epoch(hash.get("epoch"));
  }

  /**
   * Returns the epoch in a field.
   *
   * @param field null if there is none
   */
  static long epoch(Response field) {
    try {
      return field == null ? 0 : field.toLong();
    } catch (NumberFormatException e) {
      return HUGE.matcher(field.toString()).matches() ? Long.MAX_VALUE : 0;
    }
  }

  private static long checkedEpoch(String field) {
    long epoch = field == null ? 0 : Long.parseLong(field);
    if (epoch < 0 || epoch > MAX_EPOCH) {
      throw new IllegalArgumentException("no epoch");
    }
    return epoch;
  }

  private Optional<Instant> instant(String field) {
    return Optional.ofNullable(textOrNull(field)).map(any -> parsed(field, IsoInstant::parse));
  }

  private long number(String field) {
    return parsed(field, value -> value == null ? 0 : Long.parseLong(value));
  }

  /**
   * Parses a field. The parser receives null if the field is missing.
   *
   * @throws IllegalStateException with the name and the text of the field
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
    String text = plain(field);
    if (text != null && text.indexOf(REPLACEMENT) >= 0 && !isUtf8(hash.get(field).toBytes())) {
      throw new IllegalStateException(Quoted.field(field, text) + ", which is not UTF-8");
    }
    return text;
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Returns a field without a check, so that it cannot damage the job. */
  private String plain(String field) {
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
