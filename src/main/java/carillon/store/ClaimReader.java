package carillon.store;

import carillon.job.Claim;
import carillon.job.JobState;
import carillon.job.Run;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what the script {@code claim} returns, and tells what is damaged from what can be done. */
final class ClaimReader {
  private static final String STRAY = "its job belongs to another partition";

  /** Where the item of a disabled collection's job says so. */
  private static final int GATED = 8;

  private static final int DUE = 7;

  private final Keys keys;

  ClaimReader(Keys keys) {
    this.keys = keys;
  }

  /**
   * What a claim has taken.
   *
   * @param token of the claims
   * @param at what Redis' clock showed after it, epoch ms
   * @param reply the earliest instant that is left, or nothing, and then each item
   */
  Claims read(int partition, String token, long at, Response reply) {
    List<Claimed> runs = new ArrayList<>(reply.size());
    List<Damaged> damaged = new ArrayList<>(0);
    for (int i = 1; i < reply.size(); i++) {
      claimed(partition, reply.get(i), token, runs, damaged);
    }
    String next = reply.get(0).toString();
    return new Claims(
        runs, damaged, next.isEmpty() ? OptionalLong.empty() : OptionalLong.of(millis(next)), at);
  }

  private static long millis(String score) {
    return (long) Double.parseDouble(score);
  }

  /** One damaged item must not spoil the others of its batch. */
  private void claimed(
      int partition, Response item, String token, List<Claimed> runs, List<Damaged> damaged) {
    try {
      Claimed claimed = claimed(item, token);
      if (keys.partition(claimed.run().job()) != partition) {
        throw new IllegalArgumentException(STRAY);
      }
      runs.add(claimed);
    } catch (RuntimeException e) {
      damaged.add(DamagedItem.of(item, token, e));
    }
  }

  private static Claimed claimed(Response item, String token) {
    Claim claim = new Claim(Run.parse(item.get(0).toString()), token);
    long due = millis(item.get(DUE).toString());
    if (item.get(2).toString().isEmpty()) {
      return new Claimed(claim, due, Optional.empty());
    }
    String next = item.get(4).toString();
    return new Claimed(
        claim,
        due,
        Optional.of(
            new Claimed.Job(
                item.get(1).toString(),
                item.get(2).toLong(),
                JobState.ofWord(item.get(3).toString()),
                next.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(next)),
                item.size() > GATED,
                Instant.parse(item.get(5).toString()),
                item.get(6).toString())));
  }
}
