package carillon.api;

import carillon.job.JobDefinition;
import carillon.job.JobName;
import carillon.vault.Certificates;
import carillon.vault.Vault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a submitted job fit to be stored: secrets that were left out are taken from the stored job,
 * client certificates are looked into, and all secrets are sealed. A job without secrets passes as
 * it is. Confined to an event loop; certificates are read elsewhere.
 */
final class Intake {
  private static final int READERS = 2;
  private static final int MOST_WAITING = 64;

  private final Vault vault;
  private final WorkerExecutor readers;
  private int waiting;

  Intake(Vertx vertx, Vault vault) {
    this.vault = vault;
    this.readers = vertx.createSharedWorkerExecutor("certificates", READERS);
  }

  /**
   * The job as it may be stored; the future fails with INVALID.
   *
   * @param stored what there is under this name, asked for only when it is needed
   */
  Future<JobDefinition> admit(
      JobName name,
      JobDefinition submitted,
      Supplier<Future<Optional<JobDefinition>>> stored,
      Instant now) {
    return submitted.firstKept().isEmpty()
        ? sealed(name, submitted, now)
        : stored.get().compose(old -> sealed(name, submitted.keeping(old), now));
  }

  private Future<JobDefinition> sealed(JobName name, JobDefinition job, Instant now) {
    if (!Certificates.areNewIn(job)) {
      return Attempt.of(() -> Future.succeededFuture(vault.seal(name, job)));
    }
    if (waiting >= MOST_WAITING) {
      return Future.failedFuture(
          HttpRefusal.busy("Too many certificates are being read; try again."));
    }
    waiting++;
    return readers
        .executeBlocking(
            () -> vault.seal(name, Certificates.inspected(vault.cleared(name, job), now)), false)
        .onComplete(done -> waiting--);
  }
}
