package carillon.job;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;

/**
 * One attempt of one execution, waiting or claimed. Its {@link #member} is the member that
 * operators see in Redis:
 *
 * <pre>
 * run:default/default/default/hello at=2026-11-20T18:00:00Z occurrence=4 main=2 revision=1795197600000 crashes=0
 * </pre>
 *
 * reads: the second attempt of the main action, for the fourth occurrence.
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

  /** How the text of every attempt begins. */
  public static final String PREFIX = "run:";

  /** Which action of the job. */
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

  /** Beyond that of most, with the token of a claim. */
  static final int MEMBER_LENGTH = 192;

  /**
   * Reads what {@link #member} wrote.
   *
   * @throws RuntimeException when it did not write this
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

    /** The instant behind this name, which is written as {@link #member} writes it. */
    Instant instant(String name) {
      String word = next(name);
      Instant instant = IsoInstant.parse(word);
      if (!IsoInstant.text(instant).equals(word)) {
        throw strange();
      }
      return instant;
    }

    /** The number behind this name: digits alone, the first of several is not 0. */
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

    /** What stands behind this name, up to the next word. */
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

  /** Whether it is of the job, or of a job of the collection, with this key. */
  public boolean isOf(String key) {
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

  /** This first attempt, moved to a later occurrence because the earlier ones were missed. */
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
   * The id that every attempt of this execution carries, on any node: the first 128 bits of the
   * SHA-256 of job, revision and nominal instant, in hex, the form of an x-ms-execution-tag; that
   * of an execution outside the schedule differs from that of an occurrence at the same instant.
   * Nothing is stored for it.
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
   * The id of what an action delivers: the same in every attempt, and another for the error action
   * than for the main action of the same execution.
   */
  public String deliveryId() {
    return deliveryId(executionId());
  }

  /** The {@link #deliveryId()} where the {@link #executionId}, a digest, is at hand. */
  public String deliveryId(String executionId) {
    return phase == Phase.MAIN ? executionId : executionId + "-error";
  }
}
