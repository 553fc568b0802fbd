package carillon.store.attempt;

import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.IsoInstant;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.job.collection.Hold.HoldLevel;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.store.attempt.ClaimStore.ClaimResult;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Reader of the reply of the script {@code claim}: parts damaged entries from attempts. */
final class ClaimReplyReader {
  private static final String STRAY = "its job belongs to another partition";

  private static final int REVISION = 2;

  /** Index of the marker that holds the job back. */
  private static final int HOLD = 8;

  /** Where the item of a job has its own revision, if that is not the one its attempts carry. */
  private static final int STORED_REVISION = 9;

  private static final int DUE = 7;

  private final Keys keys;

  ClaimReplyReader(Keys keys) {
    this.keys = keys;
  }

  /**
   * What a claim has taken.
   *
   * @param token of the claims
   * @param at what Redis' clock showed after it, epoch ms
   * @param reply the earliest instant that is left, or nothing, with what was met of each crowded
   *     destination; and then each item
   */
  ClaimResult read(int partition, String token, long at, Response reply) {
    List<ClaimedAttempt> attempts = new ArrayList<>(reply.size());
    List<DamagedEntry> damaged = new ArrayList<>(0);
    List<JobKey> resumed = new ArrayList<>(0);
    for (int i = 1; i < reply.size(); i++) {
      Response item = reply.get(i);
      if (item.size() == 1) {
        resumed.add(new JobKey(item.get(0).toString()));
      } else {
        claimed(partition, item, token, attempts, damaged);
      }
    }
    String[] head = reply.get(0).toString().split(" ", -1);
    String next = head[0];
    return new ClaimResult(
        attempts,
        damaged,
        resumed,
        next.isEmpty() ? OptionalLong.empty() : OptionalLong.of(reached(EpochMillis.score(next))),
        Crowds.Seen.parse(head),
        at);
  }

  /** The millisecond in which a score is reached: what was put off stands between two. */
  static long reached(double score) {
    return (long) Math.ceil(score);
  }

  private static long millis(String score) {
    return (long) EpochMillis.score(score);
  }

  /** One damaged item must not spoil the others of its batch. */
  private void claimed(
      int partition,
      Response item,
      String token,
      List<ClaimedAttempt> attempts,
      List<DamagedEntry> damaged) {
    try {
      ClaimedAttempt claimed = claimed(item, token);
      if (keys.partition(claimed.attempt().job()) != partition) {
        throw new IllegalArgumentException(STRAY);
      }
      attempts.add(claimed);
    } catch (RuntimeException e) {
      damaged.add(DamagedEntry.of(item, token, e));
    }
  }

  /** The job first: of an attempt that carries what its job should not, the job is damaged. */
  private static ClaimedAttempt claimed(Response item, String token) {
    long due = millis(item.get(DUE).toString());
    String definition = item.get(1).toString();
    if (definition.isEmpty() && item.get(REVISION).toString().isEmpty()) {
      return new ClaimedAttempt(claim(item, token), due, Optional.empty());
    }
    boolean hasOther = item.size() > STORED_REVISION;
    long revision =
        field(
            hasOther ? "attemptRevision" : "revision",
            item.get(REVISION),
            ClaimReplyReader::revision);
    Response stored = item.get(hasOther ? STORED_REVISION : REVISION);
    field("revision", stored, ClaimReplyReader::revision);
    JobState state =
        field("state", item.get(3), text -> StoredDefaults.state(text.isEmpty() ? null : text));
    Optional<Instant> next = field("next", item.get(4), ClaimReplyReader::next);
    Instant created = field("created' or 'putRevision", item.get(5), StoredDefaults::created);
    Claim claim = claim(item, token);
    return new ClaimedAttempt(
        claim,
        due,
        Optional.of(
            new ClaimedAttempt.Job(
                definition,
                revision,
                stored.toString(),
                state,
                next,
                item.size() > HOLD
                    ? HoldLevel.ofMarker(item.get(HOLD).toString())
                    : Optional.empty(),
                created,
                StoredDefaults.name(item.get(6).toString(), new JobKey(claim.attempt().job())))));
  }

  private static Claim claim(Response item, String token) {
    return new Claim(Attempt.parse(item.get(0).toString()), token);
  }

  private static <T> T field(String name, Response field, Function<String, T> parser) {
    String text = field.toString();
    try {
      return parser.apply(text);
    } catch (RuntimeException e) {
      throw new DamagedEntry.DamagedFieldException(name, text, e);
    }
  }

  /** Scripts compare it, and the next occurrence, as a text. */
  private static long revision(String text) {
    long revision = Long.parseLong(text);
    return asWritten(revision, text, revision >= 0 ? Long.toString(revision) : "");
  }

  private static Optional<Instant> next(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Instant next = IsoInstant.parse(text);
    return Optional.of(asWritten(next, text, IsoInstant.text(next)));
  }

  private static <T> T asWritten(T value, String text, String written) {
    if (!written.equals(text)) {
      throw new IllegalArgumentException("nobody writes it like this");
    }
    return value;
  }
}
