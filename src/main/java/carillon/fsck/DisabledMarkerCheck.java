package carillon.fsck;

import carillon.job.CollectionName;
import carillon.job.collection.CollectionDefinition;
import carillon.redis.Keys;
import carillon.store.collection.DisabledMarker;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Check that disabled collections, and no others, have a disabled marker in each list of them. */
final class DisabledMarkerCheck {
  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;

  DisabledMarkerCheck(CheckContext context) {
    this.context = context;
    this.reader = context.reader;
    this.keys = context.keys;
  }

  /** Checks the markers of a collection that is stored. */
  void check(CollectionName name) {
    defer(name, disabled -> disabled ? allLists() : List.of(keys.gates()));
  }

  private List<String> allLists() {
    return Stream.concat(
            Stream.of(keys.gates()), IntStream.range(0, keys.partitions()).mapToObj(keys::gates))
        .toList();
  }

  /** Checks the markers that disable in one list, whose collections may be enabled or gone. */
  Future<Void> checkList(String list) {
    return AsyncLoops.items(
        from -> reader.entries(list, from),
        pair -> {
          CheckContext.collectionName(pair.name())
              .filter(name -> DisabledMarker.disables(pair.value()))
              .ifPresent(name -> defer(name, disabled -> List.of(list)));
          return Future.succeededFuture();
        });
  }

  private void defer(CollectionName name, Function<Boolean, List<String>> lists) {
    context.verifier.defer(
        () -> isDisabled(name).compose(disabled -> look(name, lists.apply(disabled), disabled)),
        () -> reader.settleDisabledMarker(name).map(true));
  }

  private Future<Boolean> isDisabled(CollectionName name) {
    return context
        .collection(name)
        .map(
            there ->
                there
                    .filter(found -> found.state() != CollectionDefinition.State.ENABLED)
                    .isPresent());
  }

  /** Finds the first marker that is wrong. */
  private Future<Optional<Finding>> look(
      CollectionName name, List<String> lists, boolean disabled) {
    List<Future<Optional<Finding>>> found =
        lists.stream().map(list -> look(list, name, disabled)).toList();
    return Future.all(found)
        .map(looked -> found.stream().flatMap(one -> one.result().stream()).findFirst());
  }

  private Future<Optional<Finding>> look(String list, CollectionName name, boolean disabled) {
    return reader
        .fields(list, name.key())
        .map(fields -> fields.get(0))
        .map(
            marker ->
                DisabledMarker.disables(marker) == disabled
                    ? Optional.empty()
                    : Optional.of(
                        new Finding(
                            FindingKind.WRONG_DISABLED_MARKER,
                            list + " " + name.key(),
                            disabled ? "closed" : "none, or open",
                            marker == null ? "nothing" : marker)));
  }
}
