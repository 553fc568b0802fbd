package carillon.api.console;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import carillon.access.Visibility;
import carillon.job.AttemptRecord;
import carillon.job.AttemptRecord.AttemptFilter;
import carillon.job.AttemptRecord.State;
import carillon.job.Pause;
import carillon.job.StoredJob;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.store.Stores;
import carillon.store.attempt.AttemptLog;
import carillon.store.job.JobListing.SinceFailure;
import carillon.store.job.JobReader;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Failures that an operator should see.
 *
 * @param jobs that fail again and again, and failed last; those with the most failures first
 * @param isAll whether these are all; false if too many failed to examine each of them
 */
record RecentFailures(List<FailingJob> jobs, boolean isAll) {
  private static final Duration OF_JOBS = Duration.ofDays(1);

  /** Maximum number of failures that are examined, newest first. */
  private static final int MAX_RECORDS = 500;

  /** Number of failed executions from which a job counts as failing, unless it was stopped. */
  private static final int AGAIN = 2;

  /** Maximum number of jobs whose history is examined. */
  private static final int MAX_JOBS = 50;

  /**
   * Job that fails.
   *
   * @param last its newest execution that was given up
   * @param count number of examined executions that were given up
   * @param stopped the pause of a job that was stopped as it failed too often
   */
  record FailingJob(AttemptRecord last, long count, Optional<Pause> stopped) {
    /** Returns this job as it is stored; empty if it no longer fails or somebody disabled it. */
    private Optional<FailingJob> as(Optional<StoredJob> stored, boolean isFailing) {
      Optional<Pause> pause = stored.flatMap(StoredJob::pause);
      if (pause.filter(one -> one.reason() == Pause.Reason.FAILURES).isPresent()) {
        return Optional.of(new FailingJob(last, count, pause));
      }
      boolean rests = stored.filter(job -> job.state() == JobState.DISABLED).isPresent();
      return isFailing && !rests && count >= AGAIN ? Optional.of(this) : Optional.empty();
    }
  }

  /** The failures of this moment that are visible. */
  static Future<RecentFailures> of(Stores stores, Visibility visible, Instant now) {
    return givenUp(stores, visible, now)
        .compose(
            failed -> {
              List<FailingJob> candidates = candidates(failed.attempts());
              List<Future<Optional<FailingJob>>> jobs =
                  candidates.stream().limit(MAX_JOBS).map(job -> ifStill(stores, job)).toList();
              boolean isAll =
                  failed.after().isEmpty()
                      && candidates.stream().filter(job -> job.count >= AGAIN).count() <= MAX_JOBS;
              return Future.all(jobs)
                  .map(
                      all ->
                          new RecentFailures(
                              jobs.stream().flatMap(job -> job.result().stream()).toList(), isAll));
            });
  }

  /** The newest failures. Of some jobs, among a bounded number of all entries. */
  private static Future<AttemptLog.Page> givenUp(Stores stores, Visibility visible, Instant now) {
    AttemptFilter filter =
        new AttemptFilter(
            "",
            Optional.of(State.FAILED),
            Optional.empty(),
            Optional.empty(),
            Optional.of(now.minus(OF_JOBS)),
            Optional.empty());
    AttemptLog log = stores.attempt().attemptLog();
    return visible.isAll()
        ? log.newest(filter, MAX_RECORDS).map(all -> new AttemptLog.Page(all, Optional.empty()))
        : log.page(filter, one -> visible.includes(new JobKey(one.job())), "", MAX_RECORDS);
  }

  private static Map<String, Long> sorted(Map<String, Long> counts) {
    Map<String, Long> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(one -> sorted.put(one.getKey(), one.getValue()));
    return sorted;
  }

  private static List<FailingJob> candidates(List<AttemptRecord> failed) {
    Map<String, Long> counts =
        sorted(failed.stream().collect(groupingBy(AttemptRecord::job, counting())));
    return counts.entrySet().stream()
        .map(one -> new FailingJob(newest(failed, one.getKey()), one.getValue(), Optional.empty()))
        .toList();
  }

  private static AttemptRecord newest(List<AttemptRecord> newestFirst, String job) {
    return newestFirst.stream().filter(one -> one.job().equals(job)).findFirst().orElseThrow();
  }

  /** The job, if it still fails or was stopped. */
  private static Future<Optional<FailingJob>> ifStill(Stores stores, FailingJob job) {
    JobName name = new JobKey(job.last.job()).jobName();
    Future<SinceFailure> since = stores.job().jobListing().sinceFailure(name);
    return stores
        .job()
        .reader()
        .look(name)
        .compose(
            found ->
                since.map(
                    state ->
                        job.as(found.flatMap(JobReader.Found::job), state == SinceFailure.FAILING)))
        .otherwise(Optional.empty());
  }
}
