package carillon.fsck;

import carillon.codec.StoredForm;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionLimits;
import carillon.job.CollectionName;
import carillon.job.JobException;
import carillon.job.Precondition;
import carillon.store.CollectionStore;
import carillon.store.Gate;
import carillon.store.Guarded;
import carillon.store.InspectionStore;
import carillon.store.InspectionStore.Pair;
import carillon.store.Keys;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Collections, and what other slots say of them: the lists, the gates and their jobs. */
final class CollectionCheck {
  private static final String LISTED = "score 0";

  private final InspectionStore inspection;
  private final CollectionStore collections;
  private final Keys keys;
  private final InstantSource clock;
  private final Judge judge;
  private final Set<String> withJobs = new HashSet<>();

  CollectionCheck(
      InspectionStore inspection,
      CollectionStore collections,
      Keys keys,
      InstantSource clock,
      Judge judge) {
    this.inspection = inspection;
    this.collections = collections;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** A collection that is stored. */
  Future<Void> check(String collection) {
    Optional<CollectionName> name = name(collection);
    if (name.isEmpty()) {
      return Future.succeededFuture(); // no client can have made it, or can reach it
    }
    String key = keys.collection(name.get());
    return inspection.hash(key).compose(hash -> check(name.get(), key, hash));
  }

  private static Optional<CollectionName> name(String collection) {
    try {
      return Optional.of(CollectionName.parse(collection))
          .filter(name -> name.key().equals(collection));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private Future<Void> check(CollectionName name, String key, Map<String, String> hash) {
    if (hash.isEmpty() || hash.containsKey("deleting")) {
      return Future.succeededFuture();
    }
    Optional<String> unreadable = unreadable(hash);
    if (unreadable.isPresent()) {
      return judge.settle(
          List.of(
              new Suspect(
                  new Finding(Kind.UNREADABLE, key, "a collection", unreadable.get()),
                  new Guarded()
                      .whenSame(hash.get("revision"), "HGET", key, "revision")
                      .whenSame(hash.get("definition"), "HGET", key, "definition")
                      .whenNone("HGET", key, "deleting")
                      .when("1", "EXISTS", key))));
    }
    judge.doubt(new Doubt(() -> lookAtList(name), () -> inspection.list(name).map(true)));
    judge.doubt(new Doubt(() -> lookAtGate(name), () -> mendGate(name)));
    judge.doubt(new Doubt(() -> lookAtLimits(name), () -> writeAgain(name)));
    return Future.succeededFuture();
  }

  private static Optional<String> unreadable(Map<String, String> hash) {
    try {
      Long.parseLong(hash.get("revision"));
      StoredForm.readCollection(hash.get("definition"));
      java.time.Instant.parse(hash.get("created"));
      java.time.Instant.parse(hash.get("modified"));
      CollectionName.parse(hash.get("name"));
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** What is stored, unless it is gone or going. */
  private Future<Optional<CollectionDefinition>> stored(CollectionName name) {
    return inspection
        .fields(keys.collection(name), "definition", "deleting")
        .map(
            fields ->
                fields.get(0) == null || fields.get(1) != null
                    ? Optional.empty()
                    : Optional.of(StoredForm.readCollection(fields.get(0))));
  }

  private Future<Optional<Finding>> lookAtList(CollectionName name) {
    String list = keys.collections(name.subscription());
    String member = name.group() + "/" + name.collection();
    return inspection
        .scores(list, List.of(member))
        .compose(
            scores ->
                scores.get(0) != null
                    ? Future.succeededFuture(Optional.empty())
                    : stored(name)
                        .map(
                            there ->
                                there.map(
                                    collection ->
                                        new Finding(
                                            Kind.NOT_LISTED,
                                            list + " " + member,
                                            LISTED,
                                            "nothing"))));
  }

  private Future<Optional<Finding>> lookAtGate(CollectionName name) {
    return gate(name)
        .compose(
            gate ->
                stored(name)
                    .map(
                        there ->
                            there
                                .map(CollectionDefinition::state)
                                .filter(
                                    state ->
                                        Gate.isClosed(gate)
                                            == (state == CollectionDefinition.State.ENABLED))
                                .map(
                                    state ->
                                        wrongGate(
                                            name,
                                            state == CollectionDefinition.State.ENABLED
                                                ? "none, or open"
                                                : "closed",
                                            gate))));
  }

  private Finding wrongGate(CollectionName name, String expected, String gate) {
    return new Finding(
        Kind.WRONG_GATE,
        keys.gates() + " " + name.key(),
        expected,
        gate == null ? "nothing" : gate);
  }

  private Future<String> gate(CollectionName name) {
    return inspection.fields(keys.gates(), name.key()).map(fields -> fields.get(0));
  }

  private Future<Boolean> mendGate(CollectionName name) {
    return gate(name)
        .compose(
            gate ->
                stored(name)
                    .compose(
                        there -> {
                          boolean closed =
                              there
                                  .filter(c -> c.state() != CollectionDefinition.State.ENABLED)
                                  .isPresent();
                          return inspection.perform(
                              new Guarded()
                                  .whenSame(gate, "HGET", keys.gates(), name.key())
                                  .then(
                                      "HSET",
                                      keys.gates(),
                                      name.key(),
                                      closed
                                          ? Gate.closed(clock.instant())
                                          : Gate.open(clock.instant())));
                        }));
  }

  private Future<Optional<Finding>> lookAtLimits(CollectionName name) {
    return inspection
        .fields(keys.collection(name), "definition", "deleting", "limits", "maxJobs", "bounded")
        .map(
            fields -> {
              if (fields.get(0) == null || fields.get(1) != null) {
                return Optional.empty();
              }
              CollectionLimits limits =
                  CollectionLimits.of(StoredForm.readCollection(fields.get(0)));
              boolean right =
                  limits.text().equals(Objects.requireNonNullElse(fields.get(2), ""))
                      && maxJobs(limits).equals(Objects.requireNonNullElse(fields.get(3), ""))
                      && (fields.get(3) == null) == (fields.get(4) == null);
              return right
                  ? Optional.empty()
                  : Optional.of(
                      new Finding(
                          Kind.WRONG_LIMITS,
                          keys.collection(name) + " limits, maxJobs, bounded",
                          limits.text().isEmpty() ? "none" : limits.text(),
                          fields.subList(2, 5).toString()));
            });
  }

  private static String maxJobs(CollectionLimits limits) {
    return limits.maxJobs().isPresent() ? Integer.toString(limits.maxJobs().getAsInt()) : "";
  }

  /** The same definition, as a client would write it: other limits than before begin an epoch. */
  private Future<Boolean> writeAgain(CollectionName name) {
    String key = keys.collection(name);
    return inspection
        .perform(
            new Guarded()
                .whenNone("HGET", key, "deleting")
                .when("1", "HEXISTS", key, "definition")
                .then("HDEL", key, "maxJobs", "bounded")
                .then("HSET", key, "limits", "unknown"))
        .compose(done -> collections.find(name))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(false)
                    : collections
                        .put(
                            name,
                            found.get().definition(),
                            Precondition.revision(found.get().revision()),
                            clock.instant())
                        .map(true)
                        .recover(
                            failure ->
                                failure instanceof JobException
                                    ? Future.succeededFuture(false)
                                    : Future.failedFuture(failure)));
  }

  /** A list of collections. */
  Future<Void> checkList(String subscription) {
    String list = keys.collections(subscription);
    return DueCheck.inSlices(
        from -> inspection.members(list, from),
        pair -> {
          Optional<CollectionName> name = name(subscription + "/" + pair.name());
          if (name.isEmpty()) {
            return judge.settle(List.of(unlisted(list, pair, Kind.UNREADABLE)));
          }
          judge.doubt(
              new Doubt(
                  () -> lookAtListed(name.get(), list, pair),
                  () ->
                      inspection.perform(
                          unlisted(list, pair, Kind.LISTED_WITHOUT_COLLECTION).proof())));
          return Future.succeededFuture();
        });
  }

  private static Suspect unlisted(String list, Pair pair, Kind kind) {
    return new Suspect(
        new Finding(
            kind, list + " " + pair.name(), "nothing, as there is no such collection", LISTED),
        new Guarded()
            .whenSame(pair.value(), "ZSCORE", list, pair.name())
            .then("ZREM", list, pair.name()));
  }

  private Future<Optional<Finding>> lookAtListed(CollectionName name, String list, Pair pair) {
    return inspection
        .exists(keys.collection(name))
        .compose(
            there ->
                there
                    ? Future.succeededFuture(Optional.empty())
                    : inspection
                        .scores(list, List.of(pair.name()))
                        .map(
                            scores ->
                                scores.get(0) == null
                                    ? Optional.empty()
                                    : Optional.of(
                                        unlisted(list, pair, Kind.LISTED_WITHOUT_COLLECTION)
                                            .finding())));
  }

  /** A gate: that of a collection that is there is checked with the collection. */
  Future<Void> checkGates() {
    return DueCheck.inSlices(
        from -> inspection.entries(keys.gates(), from),
        pair -> {
          name(pair.name())
              .filter(name -> Gate.isClosed(pair.value()))
              .ifPresent(
                  name -> judge.doubt(new Doubt(() -> lookAtLostGate(name), () -> mendGate(name))));
          return Future.succeededFuture();
        });
  }

  private Future<Optional<Finding>> lookAtLostGate(CollectionName name) {
    return gate(name)
        .compose(
            gate ->
                inspection
                    .exists(keys.collection(name))
                    .map(
                        there ->
                            there || !Gate.isClosed(gate)
                                ? Optional.empty()
                                : Optional.of(
                                    wrongGate(
                                        name, "none, as there is no such collection", gate))));
  }

  /** A collection that has jobs in some partition. */
  void sawJobs(int partition, String collection) {
    if (withJobs.add(collection)) {
      name(collection)
          .ifPresent(
              name ->
                  judge.doubt(
                      new Doubt(
                          () -> lookForCollection(name, partition), () -> make(name, partition))));
    }
  }

  private Future<Optional<Finding>> lookForCollection(CollectionName name, int partition) {
    return inspection
        .exists(keys.collection(name))
        .compose(
            there ->
                there
                    ? Future.succeededFuture(Optional.empty())
                    : inspection
                        .size(keys.jobs(partition, name.key()))
                        .map(
                            jobs ->
                                jobs == 0
                                    ? Optional.empty()
                                    : Optional.of(
                                        new Finding(
                                            Kind.NO_COLLECTION,
                                            keys.collection(name),
                                            "a collection, as there are jobs in it",
                                            "nothing"))));
  }

  /** So that its jobs can be seen again, and deleted if they are not wanted. */
  private Future<Boolean> make(CollectionName name, int partition) {
    return newestEpoch(name, partition)
        .compose(
            epoch -> {
              String key = keys.collection(name);
              String now = clock.instant().toString();
              Guarded made =
                  new Guarded()
                      .when("0", "EXISTS", key)
                      .then("HSET", key, "name", name.key())
                      .then("HSET", key, "definition", StoredForm.write(CollectionDefinition.PLAIN))
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
    return DueCheck.inSlices(
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
