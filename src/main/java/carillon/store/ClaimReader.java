package carillon.store;

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

  private final Keys keys;

  ClaimReader(Keys keys) {
    this.keys = keys;
  }

  /**
   * What a claim has taken.
   *
   * @param reply the earliest instant that is left, or nothing, and then each item
   */
  Claims read(int partition, Response reply) {
    List<Claimed> runs = new ArrayList<>(reply.size());
    List<Damaged> damaged = new ArrayList<>(0);
    List<String> purges = new ArrayList<>();
    for (int i = 1; i < reply.size(); i++) {
      Response item = reply.get(i);
      if (item.size() == 1) {
        purge(partition, item.get(0).toString(), purges, damaged);
      } else {
        claimed(partition, item, runs, damaged);
      }
    }
    String next = reply.get(0).toString();
    return new Claims(
        runs,
        damaged,
        purges,
        next.isEmpty() ? OptionalLong.empty() : OptionalLong.of((long) Double.parseDouble(next)));
  }

  /** In another partition than its job's it would stay due for ever. */
  private void purge(int partition, String entry, List<String> purges, List<Damaged> damaged) {
    String job = entry.substring("purge:".length());
    if (keys.partition(job) == partition) {
      purges.add(job);
    } else {
      damaged.add(new Damaged(entry, Optional.empty(), STRAY));
    }
  }

  /** One damaged item must not spoil the others of its batch. */
  private void claimed(int partition, Response item, List<Claimed> runs, List<Damaged> damaged) {
    try {
      Claimed claimed = claimed(item);
      if (keys.partition(claimed.run().job()) != partition) {
        throw new IllegalArgumentException(STRAY);
      }
      runs.add(claimed);
    } catch (RuntimeException e) {
      damaged.add(DamagedItem.of(item, e));
    }
  }

  private static Claimed claimed(Response item) {
    Run run = Run.parse(item.get(0).toString());
    if (item.get(2).toString().isEmpty()) {
      return new Claimed(run, Optional.empty());
    }
    String next = item.get(4).toString();
    return new Claimed(
        run,
        Optional.of(
            new Claimed.Job(
                item.get(1).toString(),
                item.get(2).toLong(),
                JobState.ofWord(item.get(3).toString()),
                next.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(next)),
                Instant.parse(item.get(5).toString()),
                item.get(6).toString())));
  }
}
