package carillon.fsck;

import carillon.job.CollectionName;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The places of bounded collections: every job has one, always, and what is in doubt is settled by
 * the nodes.
 */
final class QuotaCheck {
  /** As in the script take_place: how many hold a place in doubt stands below the instant. */
  private static final long HOLDERS = 1024;

  private final RawRedisReader inspection;
  private final Keys keys;
  private final InstantSource clock;
  private final FindingVerifier judge;
  private final Map<String, Optional<String>> bounds = new HashMap<>();

  QuotaCheck(RawRedisReader inspection, Keys keys, InstantSource clock, FindingVerifier judge) {
    this.inspection = inspection;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** The epoch since which the collection has a bound; empty when it has none, or counts yet. */
  Future<Optional<String>> bound(String collection) {
    Optional<String> known = bounds.get(collection);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    return inspection
        .fields(
            keys.collection(CollectionName.parse(collection)), "maxJobs", "uncounted", "bounded")
        .map(
            fields ->
                fields.get(0) == null || fields.get(1) != null
                    ? Optional.<String>empty()
                    : Optional.ofNullable(fields.get(2)))
        .otherwise(Optional.empty())
        .onSuccess(bound -> bounds.put(collection, bound));
  }

  /** A job that is listed. */
  Future<Void> checkJob(String bound, int partition, String job) {
    JobName name = new JobKey(job).jobName();
    String places = keys.places(name.collection());
    return inspection
        .scores(places, List.of(name.folded()))
        .map(
            scores -> {
              if (scores.get(0) == null) {
                judge.doubt(
                    new DeferredCheck(
                        () -> look(bound, partition, job), () -> give(bound, name).map(true)));
              }
              return null;
            });
  }

  /** The job is there before and after, and has no place in between. */
  private Future<Optional<Finding>> look(String bound, int partition, String job) {
    JobName name = new JobKey(job).jobName();
    String key = keys.job(partition, job);
    return inspection
        .fields(key, "revision")
        .compose(
            before ->
                before.get(0) == null
                    ? Future.succeededFuture(Optional.empty())
                    : inspection
                        .holds(withoutPlace(bound, name))
                        .compose(
                            none ->
                                inspection
                                    .fields(key, "revision")
                                    .map(
                                        after ->
                                            none && after.equals(before)
                                                ? Optional.of(noPlace(name))
                                                : Optional.empty())));
  }

  private Finding noPlace(JobName name) {
    return new Finding(
        FindingKind.NO_PLACE,
        keys.places(name.collection()) + " " + name.folded(),
        "score 0",
        "nothing");
  }

  private ConditionalCommands withoutPlace(String bound, JobName name) {
    String collection = keys.collection(name.collection());
    return new ConditionalCommands()
        .when(bound, "HGET", collection, "bounded")
        .whenNone("HGET", collection, "uncounted")
        .whenNone("ZSCORE", keys.places(name.collection()), name.folded());
  }

  /** As one who writes the job would: the place is in doubt until it was looked for the job. */
  private Future<Boolean> give(String bound, JobName name) {
    String score = Long.toString(clock.instant().toEpochMilli() * HOLDERS + 1);
    return inspection
        .perform(
            withoutPlace(bound, name)
                .then("ZADD", keys.places(name.collection()), score, name.folded()))
        .compose(
            done ->
                done
                    ? inspection.settlePlace(name, score, bound).map(true)
                    : Future.succeededFuture(false));
  }

  /** The places of a collection. */
  Future<Void> checkPlaces(String collection) {
    CollectionName name = CollectionName.parse(collection);
    return AsyncLoops.slices(
        from -> inspection.members(keys.places(name), from),
        pair ->
            pair.value().equals("0") ? checkPlace(name, pair.name()) : Future.succeededFuture());
  }

  private Future<Void> checkPlace(CollectionName collection, String member) {
    JobName job;
    try {
      job = collection.job(member);
    } catch (RuntimeException e) {
      return judge.settle(List.of(unreadable(collection, member)));
    }
    return lookAtPlace(job)
        .map(
            found -> {
              if (found.isPresent()) {
                judge.doubt(
                    new DeferredCheck(
                        () -> lookAtPlace(job),
                        () -> inspection.settlePlace(job, clock.instant()).map(true)));
              }
              return null;
            });
  }

  private Suspicion unreadable(CollectionName collection, String member) {
    String places = keys.places(collection);
    return new Suspicion(
        new Finding(FindingKind.UNREADABLE, places + " " + member, "the name of a job", member),
        new ConditionalCommands().when("0", "ZSCORE", places, member).then("ZREM", places, member));
  }

  private Future<Optional<Finding>> lookAtPlace(JobName job) {
    String places = keys.places(job.collection());
    String member = job.folded();
    return inspection
        .exists(keys.job(keys.partition(job.key()), job.key()))
        .compose(
            there ->
                there
                    ? Future.succeededFuture(Optional.empty())
                    : inspection
                        .scores(places, List.of(member))
                        .map(
                            scores ->
                                "0".equals(scores.get(0))
                                    ? Optional.of(
                                        new Finding(
                                            FindingKind.PLACE_WITHOUT_JOB,
                                            places + " " + member,
                                            "nothing, as there is no such job",
                                            "score 0"))
                                    : Optional.empty()));
  }
}
