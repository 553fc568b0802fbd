package carillon.fsck;

import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Jobs whose collection is not there. */
final class OrphanCheck {
  private final RawRedisReader inspection;
  private final CollectionCache stored;
  private final Keys keys;
  private final InstantSource clock;
  private final FindingVerifier judge;
  private final Set<String> withJobs = new HashSet<>();

  OrphanCheck(
      RawRedisReader inspection,
      CollectionCache stored,
      Keys keys,
      InstantSource clock,
      FindingVerifier judge) {
    this.inspection = inspection;
    this.stored = stored;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** A collection that has jobs in some partition. */
  void sawJobs(int partition, String collection) {
    if (withJobs.add(collection)) {
      CollectionCache.name(collection)
          .ifPresent(
              name ->
                  judge.doubt(
                      new DeferredCheck(
                          () -> lookForCollection(name, partition), () -> make(name, partition))));
    }
  }

  private Future<Optional<Finding>> lookForCollection(CollectionName name, int partition) {
    return stored.unlessThere(
        name,
        () ->
            inspection
                .size(keys.jobs(partition, name.key()))
                .map(jobs -> jobs == 0 ? Optional.empty() : Optional.of(missing(name))));
  }

  private Finding missing(CollectionName name) {
    return new Finding(
        FindingKind.NO_COLLECTION,
        keys.collection(name),
        "a collection, as there are jobs in it",
        "nothing");
  }

  /** So that its jobs can be seen again, and deleted if they are not wanted. */
  private Future<Boolean> make(CollectionName name, int partition) {
    return newestEpoch(name, partition)
        .compose(
            epoch -> {
              String key = keys.collection(name);
              String now = clock.instant().toString();
              ConditionalCommands made =
                  new ConditionalCommands()
                      .when("0", "EXISTS", key)
                      .then("HSET", key, "name", name.key())
                      .then("HSET", key, "definition", StoredJson.write(CollectionDefinition.PLAIN))
                      .then("HSET", key, "revision", Long.toString(clock.millis()))
                      .then("HSET", key, "created", now)
                      .then("HSET", key, "modified", now);
              return inspection.perform(
                  epoch == 0 ? made : made.then("HSET", key, "epoch", Long.toString(epoch)));
            })
        .compose(done -> inspection.list(name).map(done));
  }

  /** A later deletion must reach the jobs: it goes by the epoch. */
  private Future<Long> newestEpoch(CollectionName name, int partition) {
    long[] newest = {0};
    return AsyncLoops.slices(
            from -> inspection.members(keys.jobs(partition, name.key()), from),
            pair ->
                inspection
                    .fields(
                        keys.job(
                            partition,
                            name.key() + pair.name().substring(pair.name().indexOf('/'))),
                        "epoch")
                    .map(
                        fields -> {
                          if (fields.get(0) != null) {
                            newest[0] = Math.max(newest[0], Long.parseLong(fields.get(0)));
                          }
                          return null;
                        }))
        .map(done -> newest[0]);
  }
}
