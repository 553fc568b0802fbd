package carillon.timer;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.JobVersion;
import carillon.job.Pause;
import carillon.job.StoredJob;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.redis.EpochMillis;
import carillon.store.Stores;
import carillon.store.job.StaleCollectionException;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends pauses of jobs automatically, by enabling them as a client would. Nothing is repeated here:
 * a later claim returns a job whose resumption failed. Confined to the timer's event loop.
 */
final class JobResumer {
  private static final Logger LOG = LoggerFactory.getLogger(JobResumer.class);

  private final Stores stores;
  private final InstantSource clock;
  private final InFlight inFlight;
  private final WakeUpTimer.Listener wakeUpListener;

  JobResumer(TimerVerticle.Shared shared, WakeUpTimer.Listener wakeUpListener) {
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.inFlight = shared.inFlight();
    this.wakeUpListener = wakeUpListener;
  }

  /** Ends the pause of a job, if it is over. */
  void resume(JobKey job) {
    inFlight.during(
        stores
            .job()
            .reader()
            .version(job.jobName())
            .compose(
                found ->
                    found
                        .filter(this::isOver)
                        .map(version -> enable(job, version))
                        .orElseGet(Future::succeededFuture))
            .onFailure(
                failure ->
                    LOG.atWarn()
                        .addKeyValue("job", job.text())
                        .addKeyValue("error", failure.getMessage())
                        .log("the pause of a job cannot be ended; trying again later")));
  }

  private boolean isOver(JobVersion version) {
    Instant now = clock.instant();
    return version
        .job()
        .flatMap(StoredJob::pause)
        .flatMap(Pause::until)
        .filter(until -> !until.isAfter(now))
        .isPresent();
  }

  private Future<Void> enable(JobKey key, JobVersion version) {
    StoredJob job = version.job().orElseThrow();
    AuditContext context = new AuditContext(Pause.PROGRAM, "", "resume job", clock.instant());
    return stores
        .collection()
        .collections()
        .rules(job.name().collection())
        .compose(
            rules ->
                Future.succeededFuture(version)
                    .compose(
                        paused ->
                            stores
                                .job()
                                .jobs()
                                .change(
                                    paused,
                                    rules.epoch(),
                                    job.definition(),
                                    JobState.ENABLED,
                                    context))
                    .onSuccess(resumed -> wake(key, resumed))
                    .recover(failure -> stay(version, rules.epoch(), context, failure)))
        .onFailure(
            failure -> {
              if (failure instanceof StaleCollectionException) {
                stores.collection().collections().forget(job.name().collection());
              }
            })
        .mapEmpty();
  }

  private void wake(JobKey key, StoredJob resumed) {
    LOG.atInfo().addKeyValue("job", key.text()).log("the pause of a job is over");
    int partition = stores.job().reader().partition(resumed.name());
    resumed.next().ifPresent(at -> wakeUpListener.at(partition, EpochMillis.of(at), false));
  }

  /** Keeps a job without a remaining occurrence disabled, and removes the end of its pause. */
  private Future<StoredJob> stay(
      JobVersion version, long epoch, AuditContext context, Throwable failure) {
    if (!(failure instanceof JobException refusal) || refusal.code() != ErrorCode.CONFLICT) {
      return Future.failedFuture(failure);
    }
    StoredJob job = version.job().orElseThrow();
    LOG.atWarn()
        .addKeyValue("job", job.name().key())
        .addKeyValue("error", failure.getMessage())
        .log("the pause of a job is over, and it stays disabled");
    Optional<Pause> pause = job.pause().map(Pause::withoutEnd);
    return stores
        .job()
        .jobs()
        .change(version, epoch, job.definition(), JobState.DISABLED, pause, context);
  }
}
