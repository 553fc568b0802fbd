package carillon.fsck;

import carillon.job.JobState;
import carillon.job.Run;
import carillon.store.Guarded;
import carillon.store.InspectionStore;
import carillon.store.InspectionStore.Pair;
import carillon.store.Keys;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What waits for an instant: that it is for a job, and can be read. */
final class DueCheck {
  private static final Pattern MEMBER =
      Pattern.compile("(job|purge):(\\S+)|run:(\\S+) .*", Pattern.DOTALL);

  /** A run of a deleted job is dropped when it is due; by then some node would have. */
  private static final Duration OVERDUE = Duration.ofMinutes(1);

  private final InspectionStore inspection;
  private final Keys keys;
  private final InstantSource clock;
  private final Judge judge;

  DueCheck(InspectionStore inspection, Keys keys, InstantSource clock, Judge judge) {
    this.inspection = inspection;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** Everything that waits in a partition. */
  Future<Void> check(int partition) {
    return Loop.slices(
        from -> inspection.members(keys.due(partition), from),
        pair -> check(partition, pair).compose(found -> judge.settle(found.stream().toList())));
  }

  private Future<Optional<Suspect>> check(int partition, Pair entry) {
    Matcher member = MEMBER.matcher(entry.name());
    if (!member.matches() || (member.group(3) != null && !isRun(entry.name()))) {
      return Future.succeededFuture(
          Optional.of(
              suspect(
                  partition,
                  entry,
                  Kind.UNREADABLE,
                  "job:, run: or purge: and the key of a job",
                  entry.name())));
    }
    String job = member.group(3) != null ? member.group(3) : member.group(2);
    return inspection
        .patiently(
            () -> {
              Future<List<String>> fields =
                  inspection.fields(keys.job(partition, job), "revision", "state", "epoch");
              Future<List<String>> fence =
                  inspection.fields(
                      keys.epochs(partition), job.contains("/") ? Keys.collectionOf(job) : "");
              return Future.all(fields, fence)
                  .map(
                      both -> judge(partition, entry, job, fields.result(), fence.result().get(0)));
            })
        .recover(
            failure ->
                InspectionStore.isWrongType(failure) // reported by the check of the job
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  static boolean isRun(String member) {
    try {
      return Run.parse(member).text().equals(member);
    } catch (RuntimeException e) {
      return false;
    }
  }

  private Optional<Suspect> judge(
      int partition, Pair entry, String job, List<String> fields, String fence) {
    String revision = fields.get(0);
    String state = fields.get(1);
    if (revision != null && Fences.isDead(fence, fields.get(2))) {
      return Optional.empty();
    }
    boolean isRun = entry.name().startsWith(Run.PREFIX);
    boolean isOverdue =
        Double.parseDouble(entry.value()) < clock.instant().minus(OVERDUE).toEpochMilli();
    if (revision == null) {
      return isRun && !isOverdue
          ? Optional.empty()
          : Optional.of(
              suspect(
                  partition,
                  entry,
                  isRun ? Kind.RUN_WITHOUT_JOB : Kind.DUE_WITHOUT_JOB,
                  "nothing, as there is no such job",
                  entry.value(),
                  guard -> guard.whenNone("HGET", keys.job(partition, job), "revision")));
    }
    boolean isPurge = entry.name().startsWith("purge:");
    boolean isFinal =
        JobState.COMPLETED.word().equals(state) || JobState.FAULTED.word().equals(state);
    boolean isWanted = isPurge ? isFinal : JobState.ENABLED.word().equals(state);
    return isRun || isWanted
        ? Optional.empty()
        : Optional.of(
            suspect(
                partition,
                entry,
                Kind.DUE_WITHOUT_JOB,
                "nothing, as the job is " + state,
                entry.value(),
                guard -> guard.whenSame(state, "HGET", keys.job(partition, job), "state")));
  }

  private Suspect suspect(int partition, Pair entry, Kind kind, String expected, String found) {
    return suspect(partition, entry, kind, expected, found, Function.identity());
  }

  private Suspect suspect(
      int partition,
      Pair entry,
      Kind kind,
      String expected,
      String found,
      Function<Guarded, Guarded> also) {
    String due = keys.due(partition);
    return new Suspect(
        new Finding(kind, due + " " + entry.name(), expected, found),
        also.apply(new Guarded().whenSame(entry.value(), "ZSCORE", due, entry.name()))
            .then("ZREM", due, entry.name()));
  }
}
