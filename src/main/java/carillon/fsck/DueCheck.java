package carillon.fsck;

import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
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
  private static final Pattern MEMBER = Pattern.compile("job:(\\S+)|run:(\\S+) .*", Pattern.DOTALL);

  /** A run of a deleted job is dropped when it is due; by then some node would have. */
  private static final Duration OVERDUE = Duration.ofMinutes(1);

  private final RawRedisReader inspection;
  private final Keys keys;
  private final InstantSource clock;
  private final FindingVerifier judge;

  DueCheck(RawRedisReader inspection, Keys keys, InstantSource clock, FindingVerifier judge) {
    this.inspection = inspection;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** Everything that waits in a partition. */
  Future<Void> check(int partition) {
    return AsyncLoops.slices(
        from -> inspection.members(keys.due(partition), from),
        pair -> check(partition, pair).compose(found -> judge.settle(found.stream().toList())));
  }

  private Future<Optional<Suspicion>> check(int partition, Pair entry) {
    Matcher member = MEMBER.matcher(entry.name());
    if (!member.matches() || (member.group(2) != null && !isRun(entry.name()))) {
      return Future.succeededFuture(
          Optional.of(
              suspect(
                  partition,
                  entry,
                  FindingKind.UNREADABLE,
                  "job: or run: and the key of a job",
                  entry.name())));
    }
    String job = member.group(2) != null ? member.group(2) : member.group(1);
    return inspection
        .patiently(
            () -> {
              Future<List<String>> fields =
                  inspection.fields(keys.job(partition, job), "revision", "state", "epoch");
              Future<List<String>> fence =
                  inspection.fields(keys.epochs(partition), new JobKey(job).collection());
              return Future.all(fields, fence)
                  .map(
                      both -> judge(partition, entry, job, fields.result(), fence.result().get(0)));
            })
        .recover(
            failure ->
                RawRedisReader.isWrongType(failure) // reported by the check of the job
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  /** What is claimed by an earlier version has no token. */
  static boolean isClaim(String field) {
    return isRun(Claim.entry(field));
  }

  static boolean isRun(String member) {
    try {
      return Attempt.parse(member).member().equals(member);
    } catch (RuntimeException e) {
      return false;
    }
  }

  private Optional<Suspicion> judge(
      int partition, Pair entry, String job, List<String> fields, String fence) {
    String revision = fields.get(0);
    String state = fields.get(1);
    if (revision != null && Fences.isDead(fence, fields.get(2))) {
      return Optional.empty();
    }
    boolean isRun = entry.name().startsWith(Attempt.PREFIX);
    boolean isOverdue =
        Double.parseDouble(entry.value()) < clock.instant().minus(OVERDUE).toEpochMilli();
    if (revision == null) {
      return isRun && !isOverdue
          ? Optional.empty()
          : Optional.of(
              suspect(
                  partition,
                  entry,
                  isRun ? FindingKind.RUN_WITHOUT_JOB : FindingKind.DUE_WITHOUT_JOB,
                  "nothing, as there is no such job",
                  entry.value(),
                  guard -> guard.whenNone("HGET", keys.job(partition, job), "revision")));
    }
    boolean isWanted = JobState.ENABLED.word().equals(state);
    return isRun || isWanted
        ? Optional.empty()
        : Optional.of(
            suspect(
                partition,
                entry,
                FindingKind.DUE_WITHOUT_JOB,
                "nothing, as the job is " + state,
                entry.value(),
                guard -> guard.whenSame(state, "HGET", keys.job(partition, job), "state")));
  }

  /** The finished jobs that wait to be removed in a partition. */
  Future<Void> checkPurges(int partition) {
    return AsyncLoops.slices(
        from -> inspection.members(keys.purges(partition), from),
        pair ->
            checkPurge(partition, pair).compose(found -> judge.settle(found.stream().toList())));
  }

  private Future<Optional<Suspicion>> checkPurge(int partition, Pair entry) {
    String job = keys.job(partition, entry.name());
    return inspection
        .patiently(() -> inspection.fields(job, "state"))
        .map(
            fields -> {
              String state = fields.get(0);
              return JobState.COMPLETED.word().equals(state)
                      || JobState.FAULTED.word().equals(state)
                  ? Optional.<Suspicion>empty()
                  : Optional.of(
                      suspect(
                          keys.purges(partition),
                          entry,
                          FindingKind.DUE_WITHOUT_JOB,
                          state == null
                              ? "nothing, as there is no such job"
                              : "nothing, as the job is " + state,
                          entry.value(),
                          guard -> guard.whenSame(state, "HGET", job, "state")));
            })
        .recover(
            failure ->
                RawRedisReader.isWrongType(failure)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  private Suspicion suspect(
      int partition, Pair entry, FindingKind kind, String expected, String found) {
    return suspect(partition, entry, kind, expected, found, Function.identity());
  }

  private Suspicion suspect(
      int partition,
      Pair entry,
      FindingKind kind,
      String expected,
      String found,
      Function<ConditionalCommands, ConditionalCommands> also) {
    return suspect(keys.due(partition), entry, kind, expected, found, also);
  }

  private static Suspicion suspect(
      String list,
      Pair entry,
      FindingKind kind,
      String expected,
      String found,
      Function<ConditionalCommands, ConditionalCommands> also) {
    return new Suspicion(
        new Finding(kind, list + " " + entry.name(), expected, found),
        also.apply(new ConditionalCommands().whenSame(entry.value(), "ZSCORE", list, entry.name()))
            .then("ZREM", list, entry.name()));
  }
}
