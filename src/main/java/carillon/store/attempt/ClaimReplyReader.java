package carillon.store.attempt;

import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.IsoInstant;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.redis.Keys;
import carillon.store.attempt.ClaimStore.ClaimResult;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reader of the reply of the script {@code claim}: parts damaged entries from attempts. */
final class ClaimReplyReader {
  private static final String STRAY = "its job belongs to another partition";

  private static final int REVISION = 2;

  /** Where the item of a disabled collection's job says so. */
  private static final int DISABLED = 8;

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
   * @param reply the earliest instant that is left, or nothing, with how many were put off of each
   *     full destination; and then each item
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
        next.isEmpty() ? OptionalLong.empty() : OptionalLong.of(millis(next)),
        Stream.of(head).skip(1).map(Integer::valueOf).toList(),
        at);
  }

  private static long millis(String score) {
    return (long) Double.parseDouble(score);
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

  private static ClaimedAttempt claimed(Response item, String token) {
    Claim claim = new Claim(Attempt.parse(item.get(0).toString()), token);
    long due = millis(item.get(DUE).toString());
    if (item.get(REVISION).toString().isEmpty()) {
      return new ClaimedAttempt(claim, due, Optional.empty());
    }
    String next = item.get(4).toString();
    return new ClaimedAttempt(
        claim,
        due,
        Optional.of(
            new ClaimedAttempt.Job(
                item.get(1).toString(),
                item.get(REVISION).toLong(),
                item.get(item.size() > STORED_REVISION ? STORED_REVISION : REVISION).toString(),
                state(item),
                next.isEmpty() ? Optional.empty() : Optional.of(IsoInstant.parse(next)),
                item.size() > DISABLED && !item.get(DISABLED).toString().isEmpty(),
                StoredDefaults.created(item.get(5).toString()),
                StoredDefaults.name(item.get(6).toString(), new JobKey(claim.attempt().job())))));
  }

  /** The state of the job of an item. */
  static JobState state(Response item) {
    String state = item.get(3).toString();
    return StoredDefaults.state(state.isEmpty() ? null : state);
  }
}
