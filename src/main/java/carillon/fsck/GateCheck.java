package carillon.fsck;

import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.store.Gate;
import carillon.store.Guarded;
import carillon.store.InspectionStore;
import carillon.store.Keys;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;

/** Gates of collections: closed where the collection is disabled, and only there. */
final class GateCheck {
  private final InspectionStore inspection;
  private final StoredCollections stored;
  private final Keys keys;
  private final InstantSource clock;
  private final Judge judge;

  GateCheck(
      InspectionStore inspection,
      StoredCollections stored,
      Keys keys,
      InstantSource clock,
      Judge judge) {
    this.inspection = inspection;
    this.stored = stored;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
  }

  /** That of a collection that is stored. */
  void check(CollectionName name) {
    judge.doubt(new Doubt(() -> lookAtGate(name), () -> mendGate(name)));
  }

  private Future<Optional<Finding>> lookAtGate(CollectionName name) {
    return gate(name)
        .compose(
            gate ->
                stored
                    .find(name)
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
                stored
                    .find(name)
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

  /** Those whose collection is not there. */
  Future<Void> checkLost() {
    return Loop.slices(
        from -> inspection.entries(keys.gates(), from),
        pair -> {
          StoredCollections.name(pair.name())
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
}
