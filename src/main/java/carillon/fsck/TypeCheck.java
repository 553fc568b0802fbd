package carillon.fsck;

import carillon.job.JobKey;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.ParsedKey;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keys that hold something of another Redis type: whoever uses them fails. */
final class TypeCheck {
  private final RawRedisReader inspection;
  private final Keys keys;
  private final FindingVerifier judge;
  private final Set<String> told = new HashSet<>();

  TypeCheck(RawRedisReader inspection, Keys keys, FindingVerifier judge) {
    this.inspection = inspection;
    this.keys = keys;
    this.judge = judge;
  }

  /** Whether the key can be used: of the right type, or not there any more. */
  Future<Boolean> check(String key, ParsedKey.Kind kind) {
    return inspection
        .type(key)
        .compose(
            type ->
                type.equals(kind.type()) || type.equals("none")
                    ? Future.succeededFuture(true)
                    : settle(key, kind, type).map(done -> judge.isRepairing()));
  }

  private Future<Void> settle(String key, ParsedKey.Kind kind, String type) {
    String away = keys.lost(key);
    return told.add(key)
        ? judge.settle(
            List.of(
                new Suspicion(
                    new Finding(FindingKind.WRONG_TYPE, key, "a " + kind.type(), "a " + type),
                    new ConditionalCommands()
                        .when(type, "TYPE", key)
                        .when("0", "EXISTS", away)
                        .thenRename(key, away))))
        : Future.succeededFuture();
  }

  /** The keys that a job's check reads. */
  Future<Void> checkAround(int partition, String job) {
    return check(keys.job(partition, job), ParsedKey.Kind.JOB)
        .compose(done -> check(keys.due(partition), ParsedKey.Kind.DUE))
        .compose(done -> check(keys.epochs(partition), ParsedKey.Kind.EPOCHS))
        .compose(
            done -> check(keys.jobs(partition, new JobKey(job).collection()), ParsedKey.Kind.JOBS))
        .compose(done -> check(keys.history(partition, job), ParsedKey.Kind.HISTORY))
        .mapEmpty();
  }
}
