package carillon.fsck;

import carillon.job.Pause;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.PauseScope;
import carillon.job.name.CollectionName;
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
  private static final String CLOSED = "closed";
  private static final String PLANNED = "planned";
  private static final String OPEN = "none, or open";

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
    defer(name, state -> state.equals(OPEN) ? List.of(keys.gates()) : allLists());
  }

  private List<String> allLists() {
    return Stream.concat(
            Stream.of(keys.gates()), IntStream.range(0, keys.partitions()).mapToObj(keys::gates))
        .toList();
  }

  /** Checks the disabled markers in one list. Their collections may be enabled or gone. */
  Future<Void> checkList(String list) {
    return SliceLoops.items(
        from -> reader.entries(list, from),
        pair -> {
          PauseScope.ofKey(pair.name()).ifPresent(scope -> defer(scope, List.of(list)));
          CheckContext.collectionName(pair.name())
              .filter(name -> !state(pair.value()).equals(OPEN))
              .ifPresent(name -> defer(name, state -> List.of(list)));
          return Future.succeededFuture();
        });
  }

  /** Checks the markers of the pauses of groups and of everything. */
  Future<Void> checkPauses() {
    return reader
        .pauses()
        .map(
            pauses -> {
              pauses.keySet().forEach(key -> defer(new PauseScope(key), allLists()));
              return null;
            });
  }

  private void defer(PauseScope scope, List<String> lists) {
    context.verifier.defer(
        () ->
            reader
                .pauses()
                .compose(pauses -> look(scope.key(), lists, state(pauses.get(scope.key())))),
        () -> reader.settleDisabledMarker(scope).map(true));
  }

  /** A pause to come closes nothing yet. */
  private String state(Pause pause) {
    if (pause == null) {
      return OPEN;
    }
    return pause.since().isAfter(context.clock.instant()) ? PLANNED : CLOSED;
  }

  private void defer(CollectionName name, Function<String, List<String>> lists) {
    context.verifier.defer(
        () -> state(name).compose(state -> look(name.key(), lists.apply(state), state)),
        () -> reader.settleDisabledMarker(name).map(true));
  }

  /** The marker of a pause whose instant has come holds back as a closed one does. */
  private String state(String marker) {
    if (DisabledMarker.disables(marker)
        || DisabledMarker.hasBegun(marker, context.clock.millis())) {
      return CLOSED;
    }
    return DisabledMarker.isPlanned(marker) ? PLANNED : OPEN;
  }

  private Future<String> state(CollectionName name) {
    return context.collection(name).map(there -> there.map(this::state).orElse(OPEN));
  }

  private String state(CollectionDefinition collection) {
    return collection.state() == CollectionDefinition.State.ENABLED
        ? state(collection.pause().orElse(null))
        : CLOSED;
  }

  /** Finds the first marker that is wrong. */
  private Future<Optional<Finding>> look(String key, List<String> lists, String state) {
    List<Future<Optional<Finding>>> found =
        lists.stream().map(list -> look(list, key, state)).toList();
    return Future.all(found)
        .map(looked -> found.stream().flatMap(one -> one.result().stream()).findFirst());
  }

  private Future<Optional<Finding>> look(String list, String key, String state) {
    return reader
        .fields(list, key)
        .map(fields -> fields.get(0))
        .map(
            marker ->
                state(marker).equals(state)
                    ? Optional.empty()
                    : Optional.of(
                        new Finding(
                            FindingKind.WRONG_DISABLED_MARKER,
                            list + " " + key,
                            state,
                            marker == null ? "nothing" : marker)));
  }
}
