package carillon.store;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.JobVersion;
import carillon.job.Pause;
import carillon.job.StoredJob;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauser of jobs with too many consecutive failed executions. Disables them like a client. If that
 * fails, the next failed execution tries again. Confined to the event loop of the stores.
 */
public final class FailurePauser {
  private static final Logger LOG = LoggerFactory.getLogger(FailurePauser.class);

  private final Stores stores;
  private final InstantSource clock;

  /** Creates a pauser of the jobs in these stores. */
  public FailurePauser(Stores stores, InstantSource clock) {
    this.stores = stores;
    this.clock = clock;
  }

  /** Disables the job, unless it was changed in the meantime. Never fails. */
  public Future<Void> pause(JobKey key) {
    return new ChangeRetries()
        .repeat(ChangeRetries::isMoved, () -> pause(key.jobName()))
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("job", key.text())
                    .addKeyValue("error", failure.getMessage())
                    .log("a job that failed too often cannot be disabled"))
        .otherwiseEmpty();
  }

  private Future<Void> pause(JobName name) {
    return stores
        .job()
        .reader()
        .version(name)
        .compose(
            found ->
                found
                    .filter(FailurePauser::isEnabled)
                    .map(version -> pause(name, version))
                    .orElseGet(Future::succeededFuture));
  }

  private static boolean isEnabled(JobVersion version) {
    return version.job().filter(job -> job.state() == JobState.ENABLED).isPresent();
  }

  /**
   * Disables a job that still has too many failures. A later change of the job makes the write
   * fail, and an earlier one has reset the count.
   */
  private Future<Void> pause(JobName name, JobVersion version) {
    StoredJob job = version.job().orElseThrow();
    int limit = job.definition().pauseAfterFailures().orElse(Integer.MAX_VALUE);
    return stores
        .job()
        .reader()
        .failuresInARow(name)
        .compose(
            streak ->
                streak < limit ? Future.succeededFuture() : disable(name, version, job, limit));
  }

  private Future<Void> disable(JobName name, JobVersion version, StoredJob job, int limit) {
    Instant now = clock.instant();
    return stores
        .collection()
        .collections()
        .rules(name.collection())
        .compose(
            rules ->
                stores
                    .job()
                    .jobs()
                    .change(
                        version,
                        rules.epoch(),
                        job.definition(),
                        JobState.DISABLED,
                        Optional.of(Pause.afterFailures(limit, now)),
                        new AuditContext(Pause.PROGRAM, "", "disable job", now)))
        .onSuccess(
            done ->
                LOG.atWarn()
                    .addKeyValue("job", name.key())
                    .addKeyValue("failures", limit)
                    .log("a job is disabled, as its executions fail"))
        .mapEmpty();
  }
}
