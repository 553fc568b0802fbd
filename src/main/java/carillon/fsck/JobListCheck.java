package carillon.fsck;

import static carillon.fsck.CheckContext.orOnWrongType;
import static carillon.fsck.CheckContext.unless;

import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Check of the lists of a collection's jobs. Each member of an index must be a job in the state of
 * that index. The quota of a bounded collection must hold exactly one entry for each of its jobs.
 * The nodes settle an entry that is in doubt.
 */
final class JobListCheck {
  /**
   * Factor of the instant in the score of an entry in doubt, as in the script quota_reserve. The
   * number of holders of the entry is the part below it.
   */
  private static final long HOLDERS = 1024;

  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;
  private final FindingVerifier verifier;
  private final Map<String, Optional<String>> bounds = new HashMap<>();

  JobListCheck(CheckContext context) {
    this.context = context;
    this.reader = context.reader;
    this.keys = context.keys;
    this.verifier = context.verifier;
  }

  /** Checks one partition's jobs of a collection. */
  Future<Void> checkIndex(int partition, String collection) {
    String index = keys.jobs(partition, collection);
    return bound(collection)
        .compose(
            bound ->
                SliceLoops.items(
                    from -> reader.members(index, from),
                    pair -> checkMember(partition, collection, pair, bound)));
  }

  /** The epoch since which the collection has a bound; empty if it has none, or still counts. */
  private Future<Optional<String>> bound(String collection) {
    Optional<String> known = bounds.get(collection);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    return reader
        .fields(
            keys.collection(CollectionName.parse(collection)),
            "maxJobs",
            "quotaPending",
            "quotaEpoch")
        .map(
            fields ->
                fields.get(0) == null || fields.get(1) != null
                    ? Optional.<String>empty()
                    : Optional.ofNullable(fields.get(2)))
        .otherwise(Optional.empty())
        .onSuccess(bound -> bounds.put(collection, bound));
  }

  private Future<Void> checkMember(
      int partition, String collection, Pair member, Optional<String> bound) {
    String index = keys.jobs(partition, collection);
    int slash = member.name().indexOf('/');
    String state = slash < 0 ? "" : member.name().substring(0, slash);
    Optional<JobName> job = job(collection, member.name().substring(slash + 1));
    if (!JobSnapshot.STATES.contains(state) || job.isEmpty()) {
      return verifier.settle(
          unlisting(
              index,
              member,
              FindingKind.UNREADABLE,
              "state/job",
              member.name(),
              new ConditionalCommands()));
    }
    String key = keys.job(partition, job.get().key());
    return orOnWrongType(
            reader.patiently(() -> reader.fields(key, "revision", "state")),
            Arrays.asList("", state))
        .compose(
            fields -> {
              boolean isGone = fields.get(0) == null;
              String jobState = Objects.requireNonNullElse(fields.get(1), JobState.ENABLED.word());
              if (isGone || !state.equals(jobState)) {
                return verifier.settle(
                    unlisting(
                        index,
                        member,
                        FindingKind.WRONG_INDEX,
                        isGone
                            ? "nothing, as there is no such job"
                            : "nothing, as the job is " + jobState,
                        "score " + member.value(),
                        isGone
                            ? new ConditionalCommands().whenNone("HGET", key, "revision")
                            : new ConditionalCommands()
                                .whenSame(fields.get(1), "HGET", key, "state")));
              }
              return bound.isPresent()
                  ? checkEntry(bound.get(), key, job.get())
                  : Future.succeededFuture();
            });
  }

  private static Optional<JobName> job(String collection, String name) {
    try {
      JobName job = CollectionName.parse(collection).job(name);
      return Optional.of(job).filter(folded -> folded.key().endsWith("/" + name));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Suspicion unlisting(
      String list,
      Pair member,
      FindingKind kind,
      String expected,
      String found,
      ConditionalCommands facts) {
    return new Suspicion(
        kind,
        list + " " + member.name(),
        expected,
        found,
        facts
            .whenSame(member.value(), "ZSCORE", list, member.name())
            .then("ZREM", list, member.name()));
  }

  private Future<Void> checkEntry(String bound, String key, JobName job) {
    return reader
        .scores(keys.quota(job.collection()), List.of(job.folded()))
        .map(
            scores -> {
              if (scores.get(0) == null) {
                verifier.defer(
                    () -> lookForEntry(bound, key, job), () -> giveEntry(bound, job).map(true));
              }
              return null;
            });
  }

  /**
   * Looks for a missing entry. The job must exist before and after, and have no entry in between.
   */
  private Future<Optional<Finding>> lookForEntry(String bound, String key, JobName job) {
    Finding finding =
        new Finding(
            FindingKind.NO_QUOTA_ENTRY,
            keys.quota(job.collection()) + " " + job.folded(),
            "score 0",
            "nothing");
    return reader
        .fields(key, "revision")
        .compose(
            before ->
                unless(
                    Future.succeededFuture(before.get(0) == null),
                    () ->
                        reader
                            .holds(withoutEntry(bound, job))
                            .compose(
                                none ->
                                    reader
                                        .fields(key, "revision")
                                        .map(
                                            after ->
                                                Optional.of(finding)
                                                    .filter(
                                                        found -> none && after.equals(before))))));
  }

  private ConditionalCommands withoutEntry(String bound, JobName job) {
    String collection = keys.collection(job.collection());
    return new ConditionalCommands()
        .when(bound, "HGET", collection, "quotaEpoch")
        .whenNone("HGET", collection, "quotaPending")
        .whenNone("ZSCORE", keys.quota(job.collection()), job.folded());
  }

  /**
   * Gives the job an entry as a writer of the job would: it is in doubt until the job was looked
   * for.
   */
  private Future<Boolean> giveEntry(String bound, JobName job) {
    String score = Long.toString(context.clock.instant().toEpochMilli() * HOLDERS + 1);
    return reader
        .perform(
            withoutEntry(bound, job)
                .then("ZADD", keys.quota(job.collection()), score, job.folded()))
        .compose(
            done ->
                done
                    ? reader.settleQuotaEntry(job, score, bound).map(true)
                    : Future.succeededFuture(false));
  }

  /** Checks the quota entries of a collection. */
  Future<Void> checkQuota(String collection) {
    CollectionName name = CollectionName.parse(collection);
    return SliceLoops.items(
        from -> reader.members(keys.quota(name), from),
        pair -> pair.value().equals("0") ? checkEntry(name, pair) : Future.succeededFuture());
  }

  private Future<Void> checkEntry(CollectionName collection, Pair entry) {
    JobName job;
    try {
      job = collection.job(entry.name());
    } catch (RuntimeException e) {
      return verifier.settle(
          unlisting(
              keys.quota(collection),
              entry,
              FindingKind.UNREADABLE,
              "the name of a job",
              entry.name(),
              new ConditionalCommands()));
    }
    return lookForJob(job)
        .map(
            found -> {
              if (found.isPresent()) {
                verifier.defer(
                    () -> lookForJob(job),
                    () -> reader.settleQuotaEntry(job, context.clock.instant()).map(true));
              }
              return null;
            });
  }

  private Future<Optional<Finding>> lookForJob(JobName job) {
    String quota = keys.quota(job.collection());
    Finding finding =
        new Finding(
            FindingKind.QUOTA_ENTRY_WITHOUT_JOB,
            quota + " " + job.folded(),
            "nothing, as there is no such job",
            "score 0");
    return unless(
        reader.exists(keys.job(keys.partition(job.key()), job.key())),
        () ->
            reader
                .scores(quota, List.of(job.folded()))
                .map(scores -> Optional.of(finding).filter(found -> "0".equals(scores.get(0)))));
  }
}
