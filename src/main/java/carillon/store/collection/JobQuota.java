package carillon.store.collection;

import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.route.RedisErrors;
import carillon.store.attempt.PurgeStore.Purge;
import carillon.store.collection.QuotaEntry.Outcome;
import carillon.store.collection.QuotaEntry.ReservationMode;
import carillon.store.job.JobStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quota of jobs of a collection. Keeps their number within its bound, exactly, with any number of
 * concurrent writers. Jobs are in many slots, so the collection has a separate set of names, its
 * entries. Every existing job always has an entry.
 *
 * <p>Before a job is written or deleted, the writer reserves its entry, which marks the entry as in
 * doubt. Afterwards it settles the entry as present or absent. If several writers hold an entry,
 * the last one checks whether the job exists. An entry whose holder died stays in doubt, and
 * counts. If the collection is full, {@link QuotaRepair} checks such entries.
 *
 * <p>A collection without a bound has no entries, and its jobs cost nothing here. Confined to the
 * event loop of its link.
 */
public final class JobQuota {
  private static final Logger LOG = LoggerFactory.getLogger(JobQuota.class);

  /**
   * Maximum time from the reservation to the write. A later writer could count as dead while it
   * writes.
   */
  private static final Duration USABLE = Duration.ofSeconds(30);

  /** Number of requests to a full collection while entries are in doubt, {@link #PAUSE} apart. */
  private static final int ATTEMPTS = 6;

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final RedisLink link;
  private final JobStore jobs;
  private final QuotaEntry entry;
  private final QuotaBackfill counter;
  private final QuotaRepair repair;
  private final InstantSource clock;

  public JobQuota(
      RedisLink link, Keys keys, JobStore jobs, CollectionEpochs epochs, InstantSource clock) {
    this.link = link;
    this.jobs = jobs;
    this.entry = new QuotaEntry(link, keys, jobs.reader());
    this.counter =
        new QuotaBackfill(link, keys, epochs, name -> entry.check(name, clock.instant()));
    this.repair = new QuotaRepair(link, keys, jobs.reader(), entry);
    this.clock = clock;
  }

  /**
   * Writes a job that may be new. Fails like the write, or with {@link ErrorCode#CONFLICT} if the
   * collection is full.
   */
  public <T> Future<T> writing(JobName name, Supplier<Future<T>> write) {
    return writing(name, write, ATTEMPTS);
  }

  private <T> Future<T> writing(JobName name, Supplier<Future<T>> write, int attempts) {
    Instant now = clock.instant();
    return entry
        .reserve(name, ReservationMode.NEW, now)
        .compose(
            reserved ->
                switch (reserved.word()) {
                  case FREE, NONE -> write.get();
                  case RESERVED -> holding(name, reserved.token(), now, Outcome.PRESENT, write);
                  case PENDING ->
                      count(name.collection()).compose(done -> writing(name, write, attempts));
                  case FULL ->
                      writingToFull(name, write, attempts, reserved.full().orElseThrow(), now);
                });
  }

  private <T> Future<T> writingToFull(
      JobName name, Supplier<Future<T>> write, int attempts, QuotaEntry.Full full, Instant now) {
    return repair
        .repair(name.collection(), full.epoch(), now)
        .compose(
            askAgain -> {
              if (!askAgain || attempts <= 1) {
                throw full(name.collection(), full);
              }
              return link.pause(PAUSE).compose(passed -> writing(name, write, attempts - 1));
            });
  }

  /** Deletes a job. Fails like the deletion. */
  public Future<Void> deleting(JobName name, Supplier<Future<Void>> deletion) {
    return deleting(name, Outcome.ABSENT, deletion);
  }

  /** Removes a finished job whose retention is over. A job that is active again is left alone. */
  public Future<Void> purge(Purge purge) {
    return deleting(new JobKey(purge.job()).jobName(), Outcome.UNKNOWN, () -> jobs.purge(purge));
  }

  private Future<Void> deleting(JobName name, Outcome success, Supplier<Future<Void>> deletion) {
    Instant now = clock.instant();
    return entry
        .reserve(name, ReservationMode.OLD, now)
        .compose(
            reserved ->
                switch (reserved.word()) {
                  case FREE -> deletion.get();
                  case RESERVED -> holding(name, reserved.token(), now, success, deletion);
                  // Without an entry there was no job then. The check finds one created since.
                  case NONE, PENDING, FULL ->
                      deletion.get().compose(done -> entry.check(name, clock.instant()));
                });
  }

  private <T> Future<T> holding(
      JobName name, String token, Instant since, Outcome success, Supplier<Future<T>> step) {
    if (clock.instant().isAfter(since.plus(USABLE))) {
      return Future.failedFuture(
          new JobException(
              ErrorCode.STORE_UNAVAILABLE,
              "The node paused while it reserved an entry of the quota; nothing is written. Try"
                  + " again."));
    }
    return step.get()
        .transform(
            (result, failure) -> {
              if (failure != null && RedisErrors.isUnavailable(failure)) {
                return Future.failedFuture(failure); // may still be done: stays in doubt
              }
              return entry
                  .settle(name, token, failure == null ? success : Outcome.UNKNOWN)
                  .onFailure(doubt -> staysInDoubt(name, doubt))
                  .transform(
                      given ->
                          failure == null
                              ? Future.succeededFuture(result)
                              : Future.failedFuture(failure));
            });
  }

  private static void staysInDoubt(JobName name, Throwable failure) {
    LOG.atWarn()
        .addKeyValue("job", name.key())
        .addKeyValue("error", failure.getMessage())
        .log("quota entry stays in doubt");
  }

  /** Returns the number of jobs of a collection with a bound, including entries in doubt. */
  public Future<Long> used(CollectionName collection) {
    return entry.used(collection);
  }

  /** Counts the jobs that are older than the bound, unless that is done already. */
  public Future<Void> count(CollectionName collection) {
    return counter.count(collection);
  }

  private static JobException full(CollectionName collection, QuotaEntry.Full full) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Job collection '"
            + collection.collection()
            + "' has "
            + full.count()
            + (full.count() == 1 ? " job" : " jobs")
            + ", and its quota maxJobCount allows "
            + full.limit()
            + "; delete a job or raise the quota.");
  }
}
