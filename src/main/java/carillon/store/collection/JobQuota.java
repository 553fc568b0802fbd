package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
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
 * Quota of jobs of a collection: keeps their number within its bound, exactly, however many nodes
 * write at the same time. Jobs live in many slots, so the collection has a set of names beside it,
 * its entries: every job that exists has one, always.
 *
 * <p>Who writes or deletes a job reserves its entry first, which marks it as in doubt, and settles
 * it afterwards as present or absent. When several hold one entry at a time, the last of them looks
 * whether the job is there. An entry whose holder died stays in doubt, and counts; when the
 * collection is full, that is looked into by {@link QuotaRepair}.
 *
 * <p>A collection without a bound has no entries, and its jobs cost nothing here. Confined to the
 * event loop of its link.
 */
public final class JobQuota {
  private static final Logger LOG = LoggerFactory.getLogger(JobQuota.class);

  /** After so long a writer must not begin: its entry could be taken for a dead one's. */
  private static final Duration USABLE = Duration.ofSeconds(30);

  /** How often, and how far apart, a full collection is asked again while entries are in doubt. */
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
    this.entry = new QuotaEntry(link, keys, jobs);
    this.counter =
        new QuotaBackfill(link, keys, epochs, name -> entry.check(name, clock.instant()));
    this.repair = new QuotaRepair(link, keys, jobs, entry);
    this.clock = clock;
  }

  /**
   * Writes a job that may be new. Fails as the write does, or with {@link ErrorCode#CONFLICT} when
   * the collection is full.
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

  /** Deletes a job. Fails as the deletion does. */
  public Future<Void> deleting(JobName name, Supplier<Future<Void>> deletion) {
    return deleting(name, Outcome.ABSENT, deletion);
  }

  /**
   * Purges a job that has been final for as long as such jobs are kept; one that lives again is
   * left alone.
   */
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
                  // Where no job was, one may have come into being before it was deleted.
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
              if (failure != null && RedisLink.isUnavailable(failure)) {
                return Future.failedFuture(failure); // it may still be done: the doubt stays
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

  /** How many jobs a collection with a bound has, with those whose entries are in doubt. */
  public Future<Long> used(CollectionName collection) {
    return entry.used(collection);
  }

  /** Counts the jobs that were there before the bound was set, if that is still to be done. */
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
