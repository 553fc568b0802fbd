package carillon.fsck;

import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.attempt.ClaimStore;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import carillon.store.operation.RawRedisReader.Slice;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Claims and what is held back by gates: that somebody will take them further. */
final class ClaimCheck {
  private final RawRedisReader inspection;
  private final ClaimStore store;
  private final Keys keys;
  private final InstantSource clock;
  private final FindingVerifier judge;

  ClaimCheck(
      RawRedisReader inspection,
      ClaimStore store,
      Keys keys,
      InstantSource clock,
      FindingVerifier judge) {
    this.inspection = inspection;
    this.store = store;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** The claims of one node in one partition. */
  Future<Void> check(int partition, String node) {
    String claims = keys.claims(partition, node);
    judge.doubt(
        new DeferredCheck(
            () -> lookAtNode(claims, node),
            () -> all(() -> store.recover(partition, node, clock.instant()))));
    return readable(
        claims,
        from -> inspection.entries(claims, from),
        DueCheck::isClaim,
        pair ->
            new ConditionalCommands()
                .when("1", "HEXISTS", claims, pair.name())
                .then("HDEL", claims, pair.name()));
  }

  /** What cannot be read as a run is removed. */
  private Future<Void> readable(
      String key,
      Function<String, Future<Slice<Pair>>> read,
      Predicate<String> isReadable,
      Function<Pair, ConditionalCommands> removal) {
    return AsyncLoops.slices(
        read,
        pair ->
            isReadable.test(pair.name())
                ? Future.succeededFuture()
                : judge.settle(List.of(unreadable(key, pair, removal.apply(pair)))));
  }

  private static Suspicion unreadable(String key, Pair pair, ConditionalCommands proof) {
    return new Suspicion(
        new Finding(FindingKind.UNREADABLE, key + " " + pair.name(), "a run", pair.name()), proof);
  }

  /** A node is known before it claims, and until it has no claims. */
  private Future<Optional<Finding>> lookAtNode(String claims, String node) {
    return inspection
        .entries(claims, RawRedisReader.EDGE)
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
                                            FindingKind.CLAIMS_OF_NOBODY,
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
    return AsyncLoops.whileMore(() -> slice.get().map(moved -> moved == ClaimStore.SLICE))
        .map(true);
  }

  /** What one partition holds back for a collection that is disabled. */
  Future<Void> checkGated(int partition, String collection) {
    String gated = keys.gated(partition, collection);
    judge.doubt(
        new DeferredCheck(
            () -> lookAtGate(gated, collection),
            () -> all(() -> store.unpark(partition, collection, clock.instant()))));
    return readable(
        gated,
        from -> inspection.members(gated, from),
        DueCheck::isRun,
        pair ->
            new ConditionalCommands()
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
                        .members(gated, RawRedisReader.EDGE)
                        .map(
                            held ->
                                held.items().isEmpty()
                                    ? Optional.empty()
                                    : Optional.of(
                                        new Finding(
                                            FindingKind.GATED_FOR_EVER,
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
                            new Suspicion(
                                new Finding(
                                    FindingKind.HISTORY_WITHOUT_JOB,
                                    history,
                                    "nothing, as there is no such job",
                                    "a history"),
                                new ConditionalCommands()
                                    .when("0", "EXISTS", keys.job(partition, job))
                                    .when("1", "EXISTS", history)
                                    .then("UNLINK", history)))));
  }
}
