package carillon.fsck;

import carillon.job.CollectionName;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What deletions of collections leave: fences, the lists of dead jobs, collections that are not
 * buried. All of it stands in the list of what is to be cleared away, or nobody will.
 */
final class DeletionCleanupCheck {
  private final RawRedisReader inspection;
  private final Keys keys;
  private final InstantSource clock;
  private final FindingVerifier judge;
  private final Set<String> asked = new HashSet<>();

  DeletionCleanupCheck(
      RawRedisReader inspection, Keys keys, InstantSource clock, FindingVerifier judge) {
    this.inspection = inspection;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** The fences of a partition. */
  Future<Void> checkFences(int partition) {
    String fences = keys.epochs(partition);
    return AsyncLoops.slices(
        from -> inspection.entries(fences, from),
        pair -> {
          if (!Fences.isReadable(pair.value())) {
            return judge.settle(
                List.of(
                    new Suspicion(
                        new Finding(
                            FindingKind.UNREADABLE,
                            fences + " " + pair.name(),
                            "two epochs",
                            pair.value()),
                        new ConditionalCommands()
                            .whenSame(pair.value(), "HGET", fences, pair.name())
                            .then("HDEL", fences, pair.name()))));
          }
          String epoch = pair.value().substring(0, pair.value().indexOf(' '));
          suspect(
              pair.name(),
              epoch,
              fences + " " + pair.name(),
              () ->
                  inspection
                      .fields(fences, pair.name())
                      .map(fields -> pair.value().equals(fields.get(0))));
          return Future.succeededFuture();
        });
  }

  /** The jobs that died with an epoch of a collection, {@code sub/group/coll@3}. */
  void checkDead(String key, String name) {
    int at = name.lastIndexOf('@');
    if (at > 0 && name.substring(at + 1).matches("\\d{1,18}")) {
      suspect(name.substring(0, at), name.substring(at + 1), key, () -> inspection.exists(key));
    }
  }

  /** A collection. */
  Future<Void> checkCollection(String collection) {
    String key = keys.collection(CollectionName.parse(collection));
    return inspection
        .fields(key, "deleting", "epoch")
        .map(
            fields -> {
              if (fields.get(0) != null) {
                String epoch = fields.get(1) == null ? "0" : fields.get(1);
                suspect(
                    collection,
                    epoch,
                    key + " deleting",
                    () -> inspection.fields(key, "deleting", "epoch").map(fields::equals));
              }
              return null;
            });
  }

  private void suspect(
      String collection, String epoch, String what, Supplier<Future<Boolean>> isThere) {
    if (asked.add(collection + "@" + epoch)) {
      String sweep = "sweep:" + collection + "@" + epoch;
      String forget = "forget:" + collection + "@" + epoch;
      judge.doubt(
          new DeferredCheck(
              () -> look(sweep, forget, what, isThere),
              () ->
                  inspection.perform(
                      new ConditionalCommands()
                          .whenNone("ZSCORE", keys.retired(), sweep)
                          .whenNone("ZSCORE", keys.retired(), forget)
                          .then("ZADD", keys.retired(), Long.toString(clock.millis()), sweep))));
    }
  }

  private Future<Optional<Finding>> look(
      String sweep, String forget, String what, Supplier<Future<Boolean>> isThere) {
    return inspection
        .scores(keys.retired(), List.of(sweep, forget))
        .compose(
            scores ->
                scores.get(0) != null || scores.get(1) != null
                    ? Future.succeededFuture(Optional.empty())
                    : isThere
                        .get()
                        .map(
                            there ->
                                there
                                    ? Optional.of(
                                        new Finding(
                                            FindingKind.REMAINS,
                                            what,
                                            sweep + " in " + keys.retired(),
                                            "nothing"))
                                    : Optional.empty()));
  }
}
