package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.HttpException;
import carillon.job.JobDefinition;
import carillon.job.JobName;
import carillon.secret.ClientCertificates;
import carillon.secret.Vault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sealer of submitted jobs: makes them fit to be stored. Secrets that were left out are taken from
 * the stored job, client certificates are inspected, and all secrets are sealed. A job without
 * secrets passes as it is. Confined to an event loop; certificates are read elsewhere, by two
 * threads for the node, one at a time of each client, of which a few may wait, so that no client
 * keeps the others waiting.
 */
public final class SubmissionSealer {
  private static final int READERS = 2;
  private static final int MAX_WAITING = 64;
  private static final int MAX_WAITING_PER_CALLER = 8;

  /**
   * How long a request waits for the reader, and then for the reading; after that it is not read.
   */
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final Vault vault;
  private final WorkerExecutor readers;
  private final Map<String, Integer> waiting = new HashMap<>();

  public SubmissionSealer(Vertx vertx, Vault vault) {
    this.vertx = vertx;
    this.vault = vault;
    this.readers = vertx.createSharedWorkerExecutor("certificates", READERS);
  }

  /**
   * Seals a submitted job. The future holds the job as it may be stored, or fails with INVALID.
   *
   * @param former what there is under this name, whose secrets are those that were left out
   */
  Future<JobDefinition> seal(
      JobName name, JobDefinition submitted, Optional<JobDefinition> former, AuditContext context) {
    try {
      return sealed(
          name, submitted.firstKept().isEmpty() ? submitted : submitted.keeping(former), context);
    } catch (RuntimeException refusal) {
      return Future.failedFuture(refusal);
    }
  }

  private Future<JobDefinition> sealed(JobName name, JobDefinition job, AuditContext context) {
    if (!ClientCertificates.areNewIn(job)) {
      return Future.succeededFuture(vault.seal(name, job));
    }
    if (waiting.getOrDefault(context.by(), 0) >= MAX_WAITING_PER_CALLER
        || waiting.values().stream().mapToInt(Integer::intValue).sum() >= MAX_WAITING) {
      return Future.failedFuture(busy());
    }
    waiting.merge(context.by(), 1, Integer::sum);
    return vertx
        .sharedData()
        .getLocalLockWithTimeout("certificates of " + context.by(), READ_TIMEOUT.toMillis())
        .recover(late -> Future.failedFuture(busy()))
        .compose(lock -> read(name, job, context.at()).onComplete(done -> lock.release()))
        .onComplete(
            done -> waiting.computeIfPresent(context.by(), (by, n) -> n == 1 ? null : n - 1));
  }

  private Future<JobDefinition> read(JobName name, JobDefinition job, Instant now) {
    AtomicBoolean isWanted = new AtomicBoolean(true);
    return readers
        .executeBlocking(
            () -> {
              if (!isWanted.get()) {
                throw busy();
              }
              return vault.seal(name, ClientCertificates.inspected(vault.unseal(name, job), now));
            },
            false)
        .timeout(READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(done -> isWanted.set(false))
        .recover(
            failure -> Future.failedFuture(failure instanceof TimeoutException ? busy() : failure));
  }

  private static HttpException busy() {
    return HttpException.busy("Too many certificates are being read; try again.");
  }
}
