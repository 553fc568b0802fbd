package carillon.fsck;

import carillon.store.Guarded;
import carillon.store.InspectionStore;
import carillon.store.KeyName;
import carillon.store.Keys;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keys that hold something of another Redis type: whoever uses them fails. */
final class TypeCheck {
  private final InspectionStore inspection;
  private final Keys keys;
  private final Judge judge;
  private final Set<String> told = new HashSet<>();

  TypeCheck(InspectionStore inspection, Keys keys, Judge judge) {
    this.inspection = inspection;
    this.keys = keys;
    this.judge = judge;
  }

  /** Whether the key can be used: of the right type, or not there any more. */
  Future<Boolean> check(String key, KeyName.Kind kind) {
    return inspection
        .type(key)
        .compose(
            type ->
                type.equals(kind.type()) || type.equals("none")
                    ? Future.succeededFuture(true)
                    : settle(key, kind, type).map(done -> judge.isRepairing()));
  }

  private Future<Void> settle(String key, KeyName.Kind kind, String type) {
    String away = keys.lost(key);
    return told.add(key)
        ? judge.settle(
            List.of(
                new Suspect(
                    new Finding(Kind.WRONG_TYPE, key, "a " + kind.type(), "a " + type),
                    new Guarded()
                        .when(type, "TYPE", key)
                        .when("0", "EXISTS", away)
                        .thenRename(key, away))))
        : Future.succeededFuture();
  }

  /** The keys that a job's check reads. */
  Future<Void> checkAround(int partition, String job) {
    return check(keys.job(partition, job), KeyName.Kind.JOB)
        .compose(done -> check(keys.due(partition), KeyName.Kind.DUE))
        .compose(done -> check(keys.epochs(partition), KeyName.Kind.EPOCHS))
        .compose(done -> check(keys.jobs(partition, Keys.collectionOf(job)), KeyName.Kind.JOBS))
        .compose(done -> check(keys.history(partition, job), KeyName.Kind.HISTORY))
        .mapEmpty();
  }
}
