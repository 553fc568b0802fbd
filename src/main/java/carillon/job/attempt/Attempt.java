package carillon.job.attempt;

import carillon.job.name.IsoInstant;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.WireWord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A waiting or claimed attempt of an execution. Operators see its {@link #member} in Redis.
 *
 * <pre>
 * run:default/default/default/hello at=2026-11-20T18:00:00Z occurrence=4 main=2 revision=1795197600000 crashes=0
 * </pre>
 *
 * This example is the second attempt of the main action, for the fourth occurrence.
 *
 * @param job key of the job, see {@link JobName#key}
 * @param dueAt the instant at which the occurrence was due
 * @param occurrence number from 1; {@link #REQUESTED} for an execution that a client asked for
 * @param phase which action is attempted
 * @param number of the attempt, from 1 within the phase
 * @param revision of the job when the occurrence was claimed
 * @param crashes nodes that died while this attempt was in flight on them
 */
public record Attempt(
    String job,
    Instant dueAt,
    int occurrence,
    Phase phase,
    int number,
    long revision,
    int crashes) {
  /** The occurrence number of an execution outside the schedule. */
  public static final int REQUESTED = 0;

  /** Prefix of the text of every attempt. */
  public static final String PREFIX = "run:";

  /** The action of the job. */
  public enum Phase implements WireWord {
    MAIN,
    ERROR;

    private final String word = name().toLowerCase(Locale.ROOT);

    @Override
    public String word() {
      return word;
    }
  }

  private static final int EXECUTION_ID_BYTES = 16;

  /** Length that suffices for most members, including the token of a claim. */
  static final int MEMBER_LENGTH = 192;

  /**
   * Reads the form that {@link #member} writes.
   *
   * @throws RuntimeException when the text does not have that form
   */
  public static Attempt parse(String text) {
    Words words = new Words(text);
    String job = words.next("");
    if (!JobKey.hasItsForm(job)) {
      throw new IllegalArgumentException("not the key of a job: " + job);
    }
    Instant dueAt = words.instant(" at=");
    int occurrence = Math.toIntExact(words.number(" occurrence="));
    Phase phase = words.isNext(" main=") ? Phase.MAIN : Phase.ERROR;
    int number = Math.toIntExact(words.number(phase == Phase.MAIN ? " main=" : " error="));
    long revision = words.number(" revision=");
    int crashes = Math.toIntExact(words.number(" crashes="));
    if (number == 0 || !words.isEnd()) {
      throw words.strange();
    }
    return new Attempt(job, dueAt, occurrence, phase, number, revision, crashes);
  }

  /** The words of a text, one after the other. */
  private static final class Words {
    private final String text;
    private int at = PREFIX.length();

    Words(String text) {
      this.text = text;
    }

    boolean isNext(String name) {
      return text.startsWith(name, at);
    }

    boolean isEnd() {
      return at == text.length();
    }

    /** Reads the instant after this name, in the exact form that {@link #member} writes. */
    Instant instant(String name) {
      String word = next(name);
      Instant instant = IsoInstant.parse(word);
      if (!IsoInstant.text(instant).equals(word)) {
        throw strange();
      }
      return instant;
    }

    /** Reads the number after this name: digits only, without leading zeros. */
    long number(String name) {
      String word = next(name);
      boolean isPlain = word.length() == 1 || !word.startsWith("0");
      if (!isPlain || !word.chars().allMatch(c -> c >= '0' && c <= '9')) {
        throw strange();
      }
      return Long.parseLong(word);
    }

    IllegalArgumentException strange() {
      return new IllegalArgumentException("not as an attempt is written: " + text);
    }

    /** Returns the text after this name, up to the next word. */
    String next(String name) {
      if (!isNext(name)) {
        throw new IllegalArgumentException("not '" + name + "' at " + at + " of: " + text);
      }
      int begin = at + name.length();
      int space = text.indexOf(' ', begin);
      at = space < 0 ? text.length() : space;
      return text.substring(begin, at);
    }
  }

  /** The key of the job's collection. */
  public String collection() {
    return new JobKey(job).collection();
  }

  /**
   * Whether the attempt belongs to the job or collection with this key, or to the scope of a pause,
   * whose key ends with {@code *}.
   */
  public boolean isOf(String key) {
    if (key.endsWith("*")) {
      return job.startsWith(key.substring(0, key.length() - 1));
    }
    return job.startsWith(key)
        && (job.length() == key.length() || job.lastIndexOf('/') == key.length());
  }

  /** The readable and only stored form. */
  public String member() {
    return append(new StringBuilder(MEMBER_LENGTH)).toString();
  }

  /** Appends {@link #member}. */
  StringBuilder append(StringBuilder text) {
    return text.append(PREFIX)
        .append(job)
        .append(" at=")
        .append(IsoInstant.text(dueAt))
        .append(" occurrence=")
        .append(occurrence)
        .append(' ')
        .append(phase.word)
        .append('=')
        .append(number)
        .append(" revision=")
        .append(revision)
        .append(" crashes=")
        .append(crashes);
  }

  /** The attempt that follows this one: of the same action in the same execution. */
  public Attempt retry() {
    return new Attempt(job, dueAt, occurrence, phase, number + 1, revision, 0);
  }

  /** The first attempt of the same execution's error action. */
  public Attempt errorAction() {
    return new Attempt(job, dueAt, occurrence, Phase.ERROR, 1, revision, 0);
  }

  /**
   * Returns this first attempt moved to a later occurrence, because the earlier ones were missed.
   */
  public Attempt movedTo(Instant later) {
    return new Attempt(job, later, occurrence, phase, number, revision, crashes);
  }

  /** True for the attempt with which an execution begins. */
  public boolean isFirst() {
    return phase == Phase.MAIN && number == 1;
  }

  /** True for an execution outside the schedule. */
  public boolean isRequested() {
    return occurrence == REQUESTED;
  }

  /**
   * The id of this execution, the same for all its attempts on any node. It is the first 128 bits
   * of the SHA-256 of job, revision and nominal instant, in hex, the form of an x-ms-execution-tag.
   * An execution outside the schedule has another id than an occurrence at the same instant. The id
   * is computed, not stored.
   */
  public String executionId() {
    String nominal = IsoInstant.text(dueAt) + (isRequested() ? " requested" : "");
    byte[] identity = (job + " " + revision + " " + nominal).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(identity);
      return HexFormat.of().formatHex(digest, 0, EXECUTION_ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The id of a delivery. All attempts of an action have the same one; the error action has another
   * than the main action of the same execution.
   */
  public String deliveryId() {
    return deliveryId(executionId());
  }

  /** The {@link #deliveryId()} for an {@link #executionId} that is already computed. */
  public String deliveryId(String executionId) {
    return phase == Phase.MAIN ? executionId : executionId + "-error";
  }
}
