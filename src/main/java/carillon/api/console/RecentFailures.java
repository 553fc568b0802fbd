package carillon.api.console;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import carillon.job.Attempt;
import carillon.job.AttemptRecord;
import carillon.job.AttemptRecord.AttemptFilter;
import carillon.job.AttemptRecord.State;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.HistoryFilter;
import carillon.job.JobKey;
import carillon.store.Stores;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Failures that an operator is told of.
 *
 * @param jobs that fail again and again, and failed last; those with the most failures first
 * @param isAll whether these are all; not where so many failed that not each was looked at
 */
record RecentFailures(List<FailingJob> jobs, boolean isAll) {
  private static final Duration OF_JOBS = Duration.ofDays(1);

  /** The newest failures, which are looked at. */
  private static final int MAX_RECORDS = 500;

  /** Executions in which a job fails before it counts. */
  private static final int AGAIN = 2;

  /** Jobs whose history is looked at. */
  private static final int MAX_JOBS = 25;

  /** The newest entries of a history, among which the last attempt of its action is looked for. */
  private static final int MAX_ENTRIES = 10;

  /**
   * A job that fails.
   *
   * @param last its newest execution that was given up
   * @param count executions that were given up, of those that were looked at
   */
  record FailingJob(AttemptRecord last, long count) {}

  /** The failures of this moment. */
  static Future<RecentFailures> of(Stores stores, Instant now) {
    return givenUp(stores, now)
        .compose(
            failed -> {
              List<FailingJob> candidates = candidates(failed);
              List<Future<Optional<FailingJob>>> jobs =
                  candidates.stream().limit(MAX_JOBS).map(job -> ifStill(stores, job)).toList();
              return Future.all(jobs)
                  .map(
                      all ->
                          new RecentFailures(
                              jobs.stream().flatMap(job -> job.result().stream()).toList(),
                              candidates.size() <= MAX_JOBS));
            });
  }

  private static Future<List<AttemptRecord>> givenUp(Stores stores, Instant now) {
    AttemptFilter filter =
        new AttemptFilter(
            "",
            Optional.of(State.FAILED),
            Optional.empty(),
            Optional.empty(),
            Optional.of(now.minus(OF_JOBS)),
            Optional.empty());
    return stores.attempt().attemptLog().newest(filter, MAX_RECORDS);
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
        .filter(one -> one.getValue() >= AGAIN)
        .map(one -> new FailingJob(newest(failed, one.getKey()), one.getValue()))
        .toList();
  }

  private static AttemptRecord newest(List<AttemptRecord> newestFirst, String job) {
    return newestFirst.stream().filter(one -> one.job().equals(job)).findFirst().orElseThrow();
  }

  /**
   * The job, unless it is gone (one of its name that has no history is another), or the newest
   * attempt of its action succeeded. An error action that succeeds is no success of its job, and
   * neither is what was skipped. The console's {@code recovered.js} decides alike.
   */
  private static Future<Optional<FailingJob>> ifStill(Stores stores, FailingJob job) {
    return stores
        .job()
        .jobListing()
        .history(new JobKey(job.last.job()).jobName(), HistoryFilter.ALL, 0, MAX_ENTRIES)
        .map(entries -> Optional.of(job).filter(found -> isFailing(entries)))
        .otherwise(Optional.empty());
  }

  private static boolean isFailing(List<HistoryEntry> newestFirst) {
    return !newestFirst.isEmpty()
        && newestFirst.stream()
            .filter(RecentFailures::isOfAction)
            .findFirst()
            .filter(entry -> entry.status() == HistoryEntry.Status.COMPLETED)
            .isEmpty();
  }

  private static boolean isOfAction(HistoryEntry entry) {
    return entry.phase() == Attempt.Phase.MAIN && entry.status() != HistoryEntry.Status.SKIPPED;
  }
}
