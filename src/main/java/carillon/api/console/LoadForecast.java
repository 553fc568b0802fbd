package carillon.api.console;

import carillon.access.Visibility;
import carillon.bounded.AsyncCache;
import carillon.job.StoredJob;
import carillon.job.collection.Hold;
import carillon.job.collection.Hold.Holds;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.view.JobForecast;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.store.Stores;
import carillon.store.job.JobReader.Found;
import carillon.store.job.UpcomingWork;
import carillon.store.job.UpcomingWork.NextJobs;
import carillon.store.job.UpcomingWork.WaitingItem;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Forecast of the load of the next week, from the schedules of the jobs that run next. Number of
 * jobs and time are bounded. Computed at most every few seconds, once for all concurrent requests.
 * Confined to the event loop of its stores; occurrences are counted on a worker thread.
 */
public final class LoadForecast {
  /** Maximum number of jobs whose occurrences are counted. */
  static final int MAX_JOBS = 500;

  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MINUTES = 24 * 60;
  private static final int HOURS = 7 * 24;

  /**
   * Maximum time for the examination of jobs. A job with a costly schedule must not block others.
   */
  private static final Duration BUDGET = Duration.ofMillis(300);

  /** Maximum number of jobs in a list. */
  private static final int MAX_LISTED = 100;

  private final Stores stores;
  private final WorkerExecutor worker;
  private final AsyncCache<Sample> samples; // by visibility
  private final AsyncCache<Load> loads;
  private List<String> previousJobs = List.of();

  /**
   * Creates an empty forecast.
   *
   * @param worker counts occurrences
   */
  public LoadForecast(Stores stores, WorkerExecutor worker, InstantSource clock) {
    this.stores = stores;
    this.worker = worker;
    this.samples = AsyncCache.ofSlowLookups(FRESH, () -> nanos(clock));
    this.loads = AsyncCache.ofSlowLookups(FRESH, () -> nanos(clock));
  }

  private static long nanos(InstantSource clock) {
    return TimeUnit.MILLISECONDS.toNanos(clock.millis());
  }

  /**
   * Jobs that are examined.
   *
   * @param until all other jobs run at this instant or later; empty if there are no others
   * @param others approximate number of other jobs
   */
  record Sample(List<Planned> jobs, Optional<Instant> until, long others) {}

  /**
   * Job that is examined.
   *
   * @param holds pauses of all jobs
   */
  record Planned(JobName name, JobForecast forecast, Holds holds) {
    /** A job without a pause. */
    Planned(JobName name, JobForecast forecast) {
      this(name, forecast, Holds.NONE);
    }

    private Optional<Hold> hold(Instant at) {
      return holds.at(name.collection(), at);
    }
  }

  /** Occurrences in successive spans of time, and how many of them lie in a pause. */
  private static final class Spans {
    private final Instant from;
    private final Duration width;
    private final long[] counts;
    private final long[] paused;

    Spans(Instant from, Duration width, int spans) {
      this.from = from;
      this.width = width;
      this.counts = new long[spans];
      this.paused = new long[spans];
    }

    void add(Planned job) {
      List<Hold> pauses = job.holds.all(job.name.collection());
      if (pauses.isEmpty()) {
        job.forecast.count(from, width, counts);
        return;
      }
      long[] own = new long[counts.length];
      job.forecast.count(from, width, own);
      job.forecast.countPaused(from, width, own, pauses, paused);
      Arrays.setAll(counts, i -> counts[i] + own[i]);
    }

    Counted counted() {
      return new Counted(from, list(counts), list(paused));
    }
  }

  /**
   * Occurrences in successive spans of time.
   *
   * @param from when the first span begins
   * @param counts in each span
   * @param paused how many of them lie in a pause
   */
  record Counted(Instant from, List<Long> counts, List<Long> paused) {}

  /**
   * Future occurrences.
   *
   * @param jobs number of jobs that were examined
   * @param notLookedAt jobs for which there was no time
   * @param until from this instant on there are also other jobs; empty if all were examined
   * @param others approximate number of jobs that are not among the next ones
   * @param minutes occurrences in each minute of a day
   * @param hours future occurrences in each hour of a week from the midnight before now, in UTC
   */
  record Load(
      int jobs,
      int notLookedAt,
      Optional<Instant> until,
      long others,
      Counted minutes,
      Counted hours) {}

  /**
   * A job with occurrences in some time.
   *
   * @param first of them
   * @param paused how many of them lie in a pause
   * @param schedule in words
   * @param waits the pause in which the first lies
   */
  record Listed(
      JobName job, Instant first, long count, long paused, String schedule, Optional<Hold> waits) {}

  /**
   * Jobs with occurrences in some time, in the order of their first ones.
   *
   * @param count number of jobs, also of those that are not listed
   * @param occurrences number of their occurrences
   * @param paused number of occurrences within a pause
   * @param notLookedAt jobs for which there was no time
   */
  record Listing(List<Listed> jobs, int count, long occurrences, long paused, int notLookedAt) {}

  /** The load of visible jobs at this moment, or a few seconds ago. */
  Future<Load> load(Visibility visible, Instant now) {
    return loads.get(
        visible.text(),
        () ->
            sample(visible)
                .compose(
                    sample ->
                        worker.executeBlocking(() -> load(sample, now, System::nanoTime), false)));
  }

  /** The visible jobs with occurrences in {@code [from, until)}. */
  Future<Listing> jobs(Visibility visible, Instant from, Instant until) {
    return sample(visible)
        .compose(
            sample ->
                worker.executeBlocking(
                    () -> listing(sample, from, until, System::nanoTime), false));
  }

  private Future<Sample> sample(Visibility visible) {
    UpcomingWork work = stores.job().upcomingWork();
    return samples.get(
        visible.text(),
        () ->
            visible.isAll()
                ? work.jobs(MAX_JOBS).compose(next -> sample(next, jobs(next)))
                : work.jobs(visible::includes, MAX_JOBS)
                    .compose(next -> sample(next, keys(next).limit(MAX_JOBS).toList())));
  }

  private static Stream<String> keys(NextJobs next) {
    return next.jobs().stream().map(WaitingItem::job).distinct();
  }

  /**
   * Returns the jobs of the next occurrences, and jobs whose next one was not waiting at that
   * moment because it was just claimed.
   */
  private List<String> jobs(NextJobs next) {
    List<String> jobs = Stream.concat(keys(next), previousJobs.stream()).distinct().toList();
    previousJobs = keys(next).toList();
    return jobs.stream().limit(MAX_JOBS).toList();
  }

  private Future<Sample> sample(NextJobs next, List<String> jobs) {
    Future<Holds> holds =
        stores
            .collection()
            .holds()
            .of(jobs.stream().map(job -> new JobKey(job).jobName().collection()).toList());
    return Future.all(stores.resource().calendars().current(), holds)
        .compose(
            both -> {
              CalendarDirectory known = both.resultAt(0);
              List<Future<Optional<Planned>>> read =
                  jobs.stream().map(job -> planned(job, known, holds.result())).toList();
              return Future.all(read)
                  .map(
                      all ->
                          new Sample(
                              read.stream().flatMap(one -> one.result().stream()).toList(),
                              next.until(),
                              next.others()));
            });
  }

  private Future<Optional<Planned>> planned(String job, CalendarDirectory known, Holds holds) {
    return stores
        .job()
        .reader()
        .look(new JobKey(job).jobName())
        .map(
            found ->
                found
                    .flatMap(Found::job)
                    .filter(stored -> stored.state() == JobState.ENABLED)
                    .map(stored -> planned(stored, known, holds)));
  }

  private static Planned planned(StoredJob job, CalendarDirectory known, Holds holds) {
    return new Planned(
        job.name(),
        new JobForecast(
            job.definition(),
            job.created(),
            job.next(),
            job.occurrence(),
            job.definition().exclusions(new JobKey(job.name().key()), known)),
        holds);
  }

  /** Gives each job to a consumer until the time is over, and returns how many got there. */
  private static int look(List<Planned> jobs, LongSupplier nanoClock, Consumer<Planned> count) {
    long begun = nanoClock.getAsLong();
    int looked = 0;
    while (looked < jobs.size() && nanoClock.getAsLong() - begun < BUDGET.toNanos()) {
      count.accept(jobs.get(looked));
      looked++;
    }
    return looked;
  }

  static Load load(Sample sample, Instant now, LongSupplier nanoClock) {
    Spans minutes = new Spans(now.truncatedTo(ChronoUnit.MINUTES), MINUTE, MINUTES);
    Spans hours = new Spans(now.truncatedTo(ChronoUnit.DAYS), HOUR, HOURS);
    int looked =
        look(
            sample.jobs,
            nanoClock,
            job -> {
              minutes.add(job);
              hours.add(job);
            });
    List<Planned> others = sample.jobs.subList(looked, sample.jobs.size());
    return new Load(
        looked,
        others.size(),
        Stream.concat(
                sample.until.stream(), others.stream().flatMap(job -> job.forecast.next().stream()))
            .min(Comparator.naturalOrder()),
        sample.others,
        minutes.counted(),
        hours.counted());
  }

  private static List<Long> list(long[] counts) {
    return Arrays.stream(counts).boxed().toList();
  }

  static Listing listing(Sample sample, Instant from, Instant until, LongSupplier nanoClock) {
    List<Listed> listed = new ArrayList<>();
    int looked =
        look(
            sample.jobs,
            nanoClock,
            job -> {
              Spans span = new Spans(from, Duration.between(from, until), 1);
              span.add(job);
              if (span.counts[0] > 0) {
                Instant first = job.forecast.first(from).orElse(from);
                listed.add(
                    new Listed(
                        job.name,
                        first,
                        span.counts[0],
                        span.paused[0],
                        job.forecast.words(),
                        job.hold(first)));
              }
            });
    listed.sort(Comparator.comparing(Listed::first).thenComparing(one -> one.job.key()));
    return new Listing(
        listed.stream().limit(MAX_LISTED).toList(),
        listed.size(),
        listed.stream().mapToLong(Listed::count).sum(),
        listed.stream().mapToLong(Listed::paused).sum(),
        sample.jobs.size() - looked);
  }
}
