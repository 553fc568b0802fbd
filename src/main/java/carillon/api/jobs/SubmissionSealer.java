package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.CallerTurns;
import carillon.job.JobDefinition;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.secret.ClientCertificates;
import carillon.secret.Vault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Sealer of submitted jobs: prepares them for storage. Omitted secrets are taken from the stored
 * job, client certificates are inspected, and all secrets are sealed. A job without secrets passes
 * unchanged. Confined to an event loop; certificates are read elsewhere, by two threads for the
 * node. Clients take turns, and a bounded number of certificates waits.
 */
public final class SubmissionSealer {
  private static final int READERS = 2;
  private static final int MAX_WAITING = 62;
  private static final int MAX_WAITING_PER_CALLER = 6;

  /** Maximum time that a certificate waits to be examined. Its client has given up by then. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private final Vault vault;
  private final WorkerExecutor readers;
  private final CallerTurns turns =
      new CallerTurns("certificates", READERS, MAX_WAITING, MAX_WAITING_PER_CALLER);

  public SubmissionSealer(Vertx vertx, Vault vault) {
    this.vault = vault;
    this.readers = vertx.createSharedWorkerExecutor("certificates", READERS);
  }

  /**
   * Seals a submitted job. The future holds the job as it may be stored, or fails with INVALID.
   *
   * @param former the existing job of this name, which has the omitted secrets
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
    long asked = System.nanoTime();
    return turns.take(
        context.by(),
        () -> System.nanoTime() - asked > MAX_WAIT.toNanos(),
        () -> read(name, job, context.at()));
  }

  /** Takes a second at most ({@link carillon.secret.Pfx}). */
  private Future<JobDefinition> read(JobName name, JobDefinition job, Instant now) {
    return readers.executeBlocking(
        () -> vault.seal(name, ClientCertificates.inspected(vault.unseal(name, job), now)), false);
  }

  /**
   * Whether two sealed definitions of a job ask for the same, with the same secrets; traces of
   * requests are not compared. A definition whose secrets cannot be opened equals none.
   */
  boolean areEqual(JobName name, JobDefinition one, JobDefinition other) {
    try {
      return inClear(name, one).equals(inClear(name, other));
    } catch (JobException unopened) {
      return false;
    }
  }

  /**
   * Returns the job with its secrets in clear, for comparison: each sealing of one gives another
   * text.
   */
  private JobDefinition inClear(JobName name, JobDefinition sealed) {
    return vault.unseal(name, sealed.withTrace(Optional.empty()));
  }
}
