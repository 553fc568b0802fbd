package carillon.store.attempt;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.collection.Hold.HoldLevel;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.store.attempt.ClaimStore.ClaimResult;
import carillon.store.attempt.ClaimStore.DeferredResult;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reader of the replies of {@code claim_due} and {@code claim_list}. Separates damaged entries from
 * attempts.
 */
final class ClaimReplyReader {
  private static final String STRAY = "its job belongs to another partition";

  private static final int REVISION = 2;

  /** Index of the disabled marker that holds the job back. */
  private static final int HOLD = 8;

  /** Index of the job's own revision, present only if its attempts carry another one. */
  private static final int STORED_REVISION = 9;

  private static final int DUE = 7;

  private final Keys keys;

  ClaimReplyReader(Keys keys) {
    this.keys = keys;
  }

  /** Claimed attempts, and the first text of the reply. */
  private record Taken(
      List<ClaimedAttempt> attempts,
      List<DamagedEntry> damaged,
      List<JobKey> resumed,
      List<ParkedRelease> releases,
      String head) {}

  /**
   * Reads the reply of {@code claim_due} or {@code claim_list}.
   *
   * @param token of the claims
   * @param at Redis' time after the claim, epoch ms
   * @param reply the earliest remaining instant, or nothing; then the counts of each crowded
   *     destination; then each item
   */
  ClaimResult read(int partition, String token, long at, Response reply) {
    Taken taken = take(partition, token, reply);
    String[] head = taken.head.split(" ", -1);
    return new ClaimResult(
        taken.attempts,
        taken.damaged,
        taken.resumed,
        taken.releases,
        head[0].isEmpty() ? OptionalLong.empty() : OptionalLong.of(millis(head[0])),
        Stream.of(head).skip(1).map(CrowdedDestination.Met::parse).toList(),
        at);
  }

  /** Reads the reply of {@code claim_deferred}. */
  DeferredResult readDeferred(int partition, String token, long at, Response reply) {
    Taken taken = take(partition, token, reply);
    return new DeferredResult(
        taken.attempts,
        taken.damaged,
        Stream.of(taken.head.split(" ")).map(DeferredCalls.Left::parse).toList(),
        at);
  }

  private Taken take(int partition, String token, Response reply) {
    Taken taken =
        new Taken(
            new ArrayList<>(reply.size()),
            new ArrayList<>(0),
            new ArrayList<>(0),
            new ArrayList<>(0),
            reply.get(0).toString());
    for (int i = 1; i < reply.size(); i++) {
      Response item = reply.get(i);
      if (item.size() == 1) {
        taken.resumed.add(new JobKey(item.get(0).toString()));
      } else if (item.size() == 2) {
        taken.releases.add(new ParkedRelease(item.get(0).toString(), item.get(1).toLong()));
      } else {
        claimed(partition, item, token, taken.attempts, taken.damaged);
      }
    }
    return taken;
  }

  private static long millis(String score) {
    return (long) EpochMillis.score(score);
  }

  /** Reads one item; a damaged one does not affect the others of its batch. */
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

  /**
   * Reads an item, the fields of the job first. A bad field that also appears in the attempt is
   * then reported as damage of the job.
   */
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

  /**
   * Parses a revision. Rejects any form that is never written, because scripts compare revisions as
   * text, and the next occurrence too.
   */
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
