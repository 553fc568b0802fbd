package carillon.fsck;

import carillon.store.Guarded;
import carillon.store.InspectionStore;
import carillon.store.InspectionStore.Pair;
import carillon.store.InspectionStore.Slice;
import carillon.store.Keys;
import carillon.store.RunStore;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Claims and what is held back by gates: that somebody will take them further. */
final class ClaimCheck {
  private final InspectionStore inspection;
  private final RunStore runs;
  private final Keys keys;
  private final InstantSource clock;
  private final Judge judge;

  ClaimCheck(
      InspectionStore inspection, RunStore runs, Keys keys, InstantSource clock, Judge judge) {
    this.inspection = inspection;
    this.runs = runs;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** The claims of one node in one partition. */
  Future<Void> check(int partition, String node) {
    String claims = keys.claims(partition, node);
    judge.doubt(
        new Doubt(
            () -> lookAtNode(claims, node),
            () -> all(() -> runs.recover(partition, node, clock.instant()))));
    return readable(
        claims,
        from -> inspection.entries(claims, from),
        DueCheck::isClaim,
        pair ->
            new Guarded()
                .when("1", "HEXISTS", claims, pair.name())
                .then("HDEL", claims, pair.name()));
  }

  /** What cannot be read as a run is removed. */
  private Future<Void> readable(
      String key,
      Function<String, Future<Slice<Pair>>> read,
      Predicate<String> isReadable,
      Function<Pair, Guarded> removal) {
    return Loop.slices(
        read,
        pair ->
            isReadable.test(pair.name())
                ? Future.succeededFuture()
                : judge.settle(List.of(unreadable(key, pair, removal.apply(pair)))));
  }

  private static Suspect unreadable(String key, Pair pair, Guarded proof) {
    return new Suspect(
        new Finding(Kind.UNREADABLE, key + " " + pair.name(), "a run", pair.name()), proof);
  }

  /** A node is known before it claims, and until it has no claims. */
  private Future<Optional<Finding>> lookAtNode(String claims, String node) {
    return inspection
        .entries(claims, InspectionStore.EDGE)
        .compose(
            held ->
                held.items().isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : isKnown(node)
                        .map(
                            known ->
                                known
                                    ? Optional.empty()
                                    : Optional.of(
                                        new Finding(
                                            Kind.CLAIMS_OF_NOBODY,
                                            claims,
                                            "none, as there is no such node",
                                            held.items().get(0).name()))));
  }

  private Future<Boolean> isKnown(String node) {
    Future<List<String>> working = inspection.scores(keys.nodes(), List.of(node));
    Future<List<String>> leaving = inspection.scores(keys.bystanders(), List.of(node));
    return Future.all(working, leaving)
        .map(both -> working.result().get(0) != null || leaving.result().get(0) != null);
  }

  /** Slice after slice until none is left. */
  private static Future<Boolean> all(Supplier<Future<Integer>> slice) {
    return Loop.whileMore(() -> slice.get().map(moved -> moved == RunStore.SLICE)).map(true);
  }

  /** What one partition holds back for a collection that is disabled. */
  Future<Void> checkGated(int partition, String collection) {
    String gated = keys.gated(partition, collection);
    judge.doubt(
        new Doubt(
            () -> lookAtGate(gated, collection),
            () -> all(() -> runs.unpark(partition, collection, clock.instant()))));
    return readable(
        gated,
        from -> inspection.members(gated, from),
        DueCheck::isRun,
        pair ->
            new Guarded()
                .whenSame(pair.value(), "ZSCORE", gated, pair.name())
                .then("ZREM", gated, pair.name()));
  }

  private Future<Optional<Finding>> lookAtGate(String gated, String collection) {
    return inspection
        .fields(keys.gates(), collection)
        .compose(
            gate ->
                gate.get(0) != null
                    ? Future.succeededFuture(Optional.empty())
                    : inspection
                        .members(gated, InspectionStore.EDGE)
                        .map(
                            held ->
                                held.items().isEmpty()
                                    ? Optional.empty()
                                    : Optional.of(
                                        new Finding(
                                            Kind.GATED_FOR_EVER,
                                            gated,
                                            "a gate of " + collection,
                                            held.items().get(0).name()))));
  }

  /** Histories whose jobs may be gone. */
  Future<Void> checkHistory(int partition, String job) {
    String history = keys.history(partition, job);
    return inspection
        .exists(keys.job(partition, job))
        .compose(
            there ->
                there
                    ? Future.succeededFuture()
                    : judge.settle(
                        List.of(
                            new Suspect(
                                new Finding(
                                    Kind.HISTORY_WITHOUT_JOB,
                                    history,
                                    "nothing, as there is no such job",
                                    "a history"),
                                new Guarded()
                                    .when("0", "EXISTS", keys.job(partition, job))
                                    .when("1", "EXISTS", history)
                                    .then("UNLINK", history)))));
  }
}
