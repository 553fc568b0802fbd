package carillon.fsck;

import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.redis.Keys;
import carillon.store.collection.DisabledMarker;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Gates of collections, in every partition: closed where the collection is disabled, only there.
 */
final class DisabledMarkerCheck {
  private final RawRedisReader inspection;
  private final CollectionCache stored;
  private final Keys keys;
  private final FindingVerifier judge;

  DisabledMarkerCheck(
      RawRedisReader inspection, CollectionCache stored, Keys keys, FindingVerifier judge) {
    this.inspection = inspection;
    this.stored = stored;
    this.keys = keys;
    this.judge = judge;
  }

  /** Those of a collection that is stored. */
  void check(CollectionName name) {
    judge.doubt(
        new DeferredCheck(
            () ->
                isClosed(name)
                    .compose(closed -> look(name, closed ? all() : List.of(keys.gates()), closed)),
            () -> mend(name)));
  }

  /** The closed ones of one list, which may be of collections that are enabled or not there. */
  Future<Void> checkList(String gates) {
    return AsyncLoops.slices(
        from -> inspection.entries(gates, from),
        pair -> {
          CollectionCache.name(pair.name())
              .filter(name -> DisabledMarker.isClosed(pair.value()))
              .ifPresent(
                  name ->
                      judge.doubt(new DeferredCheck(() -> lookAt(gates, name), () -> mend(name))));
          return Future.succeededFuture();
        });
  }

  private Future<Optional<Finding>> lookAt(String gates, CollectionName name) {
    return isClosed(name).compose(closed -> look(name, List.of(gates), closed));
  }

  private List<String> all() {
    return Stream.concat(
            Stream.of(keys.gates()), IntStream.range(0, keys.partitions()).mapToObj(keys::gates))
        .toList();
  }

  /** Whether they are to be closed. */
  private Future<Boolean> isClosed(CollectionName name) {
    return stored
        .find(name)
        .map(
            there ->
                there
                    .filter(found -> found.state() != CollectionDefinition.State.ENABLED)
                    .isPresent());
  }

  /** The first that is not as it is to be. */
  private Future<Optional<Finding>> look(CollectionName name, List<String> lists, boolean closed) {
    List<Future<Optional<Finding>>> found =
        lists.stream().map(gates -> look(gates, name, closed)).toList();
    return Future.all(found)
        .map(looked -> found.stream().flatMap(one -> one.result().stream()).findFirst());
  }

  private Future<Optional<Finding>> look(String gates, CollectionName name, boolean closed) {
    return inspection
        .fields(gates, name.key())
        .map(fields -> fields.get(0))
        .map(
            gate ->
                DisabledMarker.isClosed(gate) == closed
                    ? Optional.empty()
                    : Optional.of(
                        new Finding(
                            FindingKind.WRONG_GATE,
                            gates + " " + name.key(),
                            closed ? "closed" : "none, or open",
                            gate == null ? "nothing" : gate)));
  }

  private Future<Boolean> mend(CollectionName name) {
    return inspection.settleGate(name).map(true);
  }
}
