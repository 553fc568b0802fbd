package carillon.api.console;

import carillon.bounded.AsyncCache;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.StoredJob;
import carillon.json.view.JobForecast;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.store.Stores;
import carillon.store.job.JobReader.Found;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Forecast of the load of the next week, from the schedules of the jobs that run next: a bounded
 * number of them, as far as a bounded time goes. Gathered at most every few seconds, once for all
 * who wait. Confined to the event loop of its stores; occurrences are counted on a worker thread.
 */
public final class LoadForecast {
  /** Jobs whose occurrences are counted. */
  static final int MAX_JOBS = 500;

  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MINUTES = 24 * 60;
  private static final int HOURS = 7 * 24;

  /** How long jobs are looked at; one whose schedule is hard to count must not hold up others. */
  private static final Duration BUDGET = Duration.ofMillis(300);

  /** Jobs that a list has. */
  private static final int MAX_LISTED = 100;

  private final Stores stores;
  private final WorkerExecutor worker;
  private final AsyncCache<Sample> samples;
  private final AsyncCache<Load> loads;
  private List<String> previousJobs = List.of();

  /**
   * A forecast that has looked at nothing.
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
   * The jobs that are looked at.
   *
   * @param until all other jobs run at this instant or later; empty where there are no others
   * @param others about how many these are
   */
  record Sample(List<Planned> jobs, Optional<Instant> until, long others) {}

  record Planned(JobName name, JobForecast forecast) {}

  /**
   * Occurrences to come.
   *
   * @param jobs that were looked at
   * @param notLookedAt jobs for which there was no time
   * @param until from this instant on there are others besides; empty where all were looked at
   * @param others about how many jobs are not among those that run next
   * @param minuteFrom when the first minute begins
   * @param minutes occurrences in each minute of a day
   * @param hourFrom the midnight, in UTC, before now
   * @param hours occurrences in each hour of a week, those that are past excepted
   */
  record Load(
      int jobs,
      int notLookedAt,
      Optional<Instant> until,
      long others,
      Instant minuteFrom,
      List<Long> minutes,
      Instant hourFrom,
      List<Long> hours) {}

  /**
   * A job with occurrences in some time.
   *
   * @param first of them
   * @param schedule in words
   */
  record Listed(JobName job, Instant first, long count, String schedule) {}

  /**
   * Jobs with occurrences in some time, those that begin first before others.
   *
   * @param count of the jobs, also of those that are not listed
   * @param occurrences of all of them
   * @param notLookedAt jobs for which there was no time
   */
  record Listing(List<Listed> jobs, int count, long occurrences, int notLookedAt) {}

  /** The load of this moment, or of a few seconds ago. */
  Future<Load> load(Instant now) {
    return loads.get(
        "",
        () ->
            sample()
                .compose(
                    sample ->
                        worker.executeBlocking(() -> load(sample, now, System::nanoTime), false)));
  }

  /** The jobs with occurrences in {@code [from, until)}. */
  Future<Listing> jobs(Instant from, Instant until) {
    return sample()
        .compose(
            sample ->
                worker.executeBlocking(
                    () -> listing(sample, from, until, System::nanoTime), false));
  }

  private Future<Sample> sample() {
    return samples.get("", () -> stores.job().upcomingWork().jobs(MAX_JOBS).compose(this::sample));
  }

  /**
   * The next occurrences, and jobs whose next one was not waiting at that moment because it was
   * just claimed.
   */
  private List<String> jobs(NextJobs next) {
    Set<String> jobs = new LinkedHashSet<>();
    next.jobs().forEach(waiting -> jobs.add(waiting.job()));
    jobs.addAll(previousJobs);
    previousJobs = next.jobs().stream().map(WaitingItem::job).toList();
    return jobs.stream().limit(MAX_JOBS).toList();
  }

  private Future<Sample> sample(NextJobs next) {
    return stores
        .resource()
        .calendars()
        .current()
        .compose(
            known -> {
              List<Future<Optional<Planned>>> read =
                  jobs(next).stream().map(job -> planned(job, known)).toList();
              return Future.all(read)
                  .map(
                      all ->
                          new Sample(
                              read.stream().flatMap(one -> one.result().stream()).toList(),
                              next.until(),
                              next.others()));
            });
  }

  private Future<Optional<Planned>> planned(String job, CalendarDirectory known) {
    return stores
        .job()
        .jobs()
        .look(new JobKey(job).jobName())
        .map(
            found ->
                found
                    .flatMap(Found::job)
                    .filter(stored -> stored.state() == JobState.ENABLED)
                    .map(stored -> planned(stored, known)));
  }

  private static Planned planned(StoredJob job, CalendarDirectory known) {
    return new Planned(
        job.name(),
        new JobForecast(
            job.definition(),
            job.created(),
            job.next(),
            job.occurrence(),
            job.definition().exclusions(new JobKey(job.name().key()), known)));
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
    Instant minuteFrom = now.truncatedTo(ChronoUnit.MINUTES);
    Instant hourFrom = now.truncatedTo(ChronoUnit.DAYS);
    long[] minutes = new long[MINUTES];
    long[] hours = new long[HOURS];
    int looked =
        look(
            sample.jobs,
            nanoClock,
            job -> {
              job.forecast.count(minuteFrom, MINUTE, minutes);
              job.forecast.count(hourFrom, HOUR, hours);
            });
    List<Planned> others = sample.jobs.subList(looked, sample.jobs.size());
    return new Load(
        looked,
        others.size(),
        Stream.concat(
                sample.until.stream(), others.stream().flatMap(job -> job.forecast.next().stream()))
            .min(Comparator.naturalOrder()),
        sample.others,
        minuteFrom,
        list(minutes),
        hourFrom,
        list(hours));
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
              long count = job.forecast.count(from, until);
              if (count > 0) {
                Instant first = job.forecast.first(from).orElse(from);
                listed.add(new Listed(job.name, first, count, job.forecast.words()));
              }
            });
    listed.sort(Comparator.comparing(Listed::first).thenComparing(one -> one.job.key()));
    return new Listing(
        listed.stream().limit(MAX_LISTED).toList(),
        listed.size(),
        listed.stream().mapToLong(Listed::count).sum(),
        sample.jobs.size() - looked);
  }
}
