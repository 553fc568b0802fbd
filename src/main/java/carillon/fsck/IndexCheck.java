package carillon.fsck;

import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The lists of jobs: that each member stands for a job, in the state that it is in. */
final class IndexCheck {
  private final RawRedisReader inspection;
  private final Keys keys;
  private final FindingVerifier judge;
  private final QuotaCheck places;

  IndexCheck(RawRedisReader inspection, Keys keys, FindingVerifier judge, QuotaCheck places) {
    this.inspection = inspection;
    this.keys = keys;
    this.judge = judge;
    this.places = places;
  }

  /** One partition's jobs of a collection. */
  Future<Void> check(int partition, String collection) {
    String index = keys.jobs(partition, collection);
    return places
        .bound(collection)
        .compose(
            bound ->
                AsyncLoops.slices(
                    from -> inspection.members(index, from),
                    pair -> check(partition, collection, index, pair, bound)));
  }

  private Future<Void> check(
      int partition, String collection, String index, Pair member, Optional<String> bound) {
    int slash = member.name().indexOf('/');
    String state = slash < 0 ? "" : member.name().substring(0, slash);
    Optional<String> job = job(collection, member.name().substring(slash + 1));
    if (!JobSnapshot.STATES.contains(state) || job.isEmpty()) {
      return judge.settle(
          List.of(
              suspect(
                  index,
                  member,
                  FindingKind.UNREADABLE,
                  "state/job",
                  member.name(),
                  new ConditionalCommands())));
    }
    String key = keys.job(partition, job.get());
    return inspection
        .patiently(() -> inspection.fields(key, "revision", "state"))
        .recover(
            failure ->
                RawRedisReader.isWrongType(failure) // reported by the check of the job
                    ? Future.succeededFuture(java.util.Arrays.asList("", state))
                    : Future.failedFuture(failure))
        .compose(
            fields -> {
              if (fields.get(0) == null) {
                return judge.settle(
                    List.of(
                        suspect(
                            index,
                            member,
                            FindingKind.WRONG_INDEX,
                            "nothing, as there is no such job",
                            "score " + member.value(),
                            new ConditionalCommands().whenNone("HGET", key, "revision"))));
              }
              if (!state.equals(fields.get(1))) {
                return judge.settle(
                    List.of(
                        suspect(
                            index,
                            member,
                            FindingKind.WRONG_INDEX,
                            "nothing, as the job is " + fields.get(1),
                            "score " + member.value(),
                            new ConditionalCommands()
                                .whenSame(fields.get(1), "HGET", key, "state"))));
              }
              return bound.isPresent()
                  ? places.checkJob(bound.get(), partition, job.get())
                  : Future.succeededFuture();
            });
  }

  private static Optional<String> job(String collection, String name) {
    try {
      JobName job = CollectionName.parse(collection).job(name);
      return Optional.of(job.key()).filter(key -> key.endsWith("/" + name));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Suspicion suspect(
      String index,
      Pair member,
      FindingKind kind,
      String expected,
      String found,
      ConditionalCommands facts) {
    return new Suspicion(
        new Finding(kind, index + " " + member.name(), expected, found),
        facts
            .whenSame(member.value(), "ZSCORE", index, member.name())
            .then("ZREM", index, member.name()));
  }
}
