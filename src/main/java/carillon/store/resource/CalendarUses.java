package carillon.store.resource;

import carillon.bounded.AsyncLoops;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobKey;
import carillon.json.StoredJson;
import carillon.recurrence.calendar.JobCalendars;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Sets of the jobs that name a calendar, one in each partition. Such a job may be deleted, or may
 * have dropped the calendar. Every reader of a set checks its jobs and removes these. Every future
 * may fail with {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class CalendarUses {
  private static final String START = "0";

  /** Approximate number of jobs that are checked together. */
  private static final int SLICE = 256;

  private final RedisLink link;
  private final Keys keys;

  public CalendarUses(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** Records that a job names calendars of its group. */
  public Future<Void> add(JobKey job, JobCalendars named) {
    int partition = keys.partition(job.text());
    return Future.all(
            named.names().stream()
                .map(name -> keys.calendarUses(partition, calendar(job, name)))
                .map(set -> link.send(Request.cmd(Command.SADD).arg(set).arg(job.text())))
                .toList())
        .mapEmpty();
  }

  /** Returns the key of a calendar in a job's group. */
  public static String calendar(JobKey job, String name) {
    return (job.group() + "/" + name).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns how many jobs name a calendar.
   *
   * @param calendar key of the calendar
   * @param limit approximate number at which to stop
   */
  public Future<Integer> count(String calendar, int limit) {
    int[] counted = {0};
    return AsyncLoops.each(
            IntStream.range(0, keys.partitions()).boxed().toList(),
            partition ->
                counted[0] >= limit
                    ? Future.succeededFuture()
                    : slices(
                        partition,
                        calendar,
                        slice -> {
                          counted[0] += slice.jobs.size();
                          return Future.succeededFuture(counted[0] < limit);
                        }))
        .map(all -> counted[0]);
  }

  /**
   * Performs a step for each slice of the jobs of a partition that name a calendar, as long as the
   * step returns true.
   */
  public Future<Void> slices(
      int partition, String calendar, Function<UsesSlice, Future<Boolean>> step) {
    String[] cursor = {START};
    return AsyncLoops.whileMore(
        () ->
            slice(partition, calendar, cursor[0])
                .compose(
                    slice -> {
                      cursor[0] = slice.next.orElse(START);
                      return step.apply(slice).map(more -> more && slice.next.isPresent());
                    }));
  }

  /**
   * A slice of the jobs of a partition that name a calendar.
   *
   * @param next cursor of the next slice; empty after the last one
   */
  public record UsesSlice(List<JobKey> jobs, Optional<String> next) {}

  /** Returns the first slice. */
  public Future<UsesSlice> slice(int partition, String calendar) {
    return slice(partition, calendar, START);
  }

  /**
   * Returns the slice at a cursor. A job that names the calendar all the time is in one of the
   * slices.
   */
  public Future<UsesSlice> slice(int partition, String calendar, String cursor) {
    String set = keys.calendarUses(partition, calendar);
    return link.send(Request.cmd(Command.SSCAN).arg(set).arg(cursor).arg("COUNT").arg(SLICE))
        .compose(
            reply -> {
              List<JobKey> jobs = new ArrayList<>();
              reply.get(1).forEach(job -> jobs.add(new JobKey(job.toString())));
              List<Future<Boolean>> uses =
                  jobs.stream().map(job -> isUse(partition, calendar, job)).toList();
              return Future.all(uses)
                  .map(
                      looked ->
                          new UsesSlice(
                              IntStream.range(0, jobs.size())
                                  .filter(i -> uses.get(i).result())
                                  .mapToObj(jobs::get)
                                  .toList(),
                              Optional.of(reply.get(0).toString())
                                  .filter(next -> !next.equals(START))));
            });
  }

  private Future<Boolean> isUse(int partition, String calendar, JobKey job) {
    String hash = keys.job(partition, job.text());
    return link.send(Request.cmd(Command.HMGET).arg(hash).arg("revision").arg("definition"))
        .compose(
            fields ->
                mayName(calendar, job, fields.get(1) == null ? null : fields.get(1).toString())
                    ? Future.succeededFuture(true)
                    : forget(partition, calendar, job, fields.get(0)))
        .recover(RedisLink.unlessUnavailable(true));
  }

  /**
   * Whether a job names a calendar. An unreadable job counts, because it may be repaired.
   *
   * @param calendar key of the calendar
   * @param definition stored definition of the job; null if there is no such job
   */
  public static boolean mayName(String calendar, JobKey job, String definition) {
    if (definition == null) {
      return false;
    }
    try {
      return StoredJson.readJob(job, definition)
          .occurrences()
          .calendars()
          .filter(named -> named.names().stream().anyMatch(n -> calendar(job, n).equals(calendar)))
          .isPresent();
    } catch (RuntimeException e) {
      return true;
    }
  }

  /** Removes a job from the set, unless it was changed in the meantime. */
  private Future<Boolean> forget(int partition, String calendar, JobKey job, Response revision) {
    return new ConditionalCommands()
        .whenSame(
            revision == null ? null : revision.toString(),
            "HGET",
            keys.job(partition, job.text()),
            "revision")
        .then("SREM", keys.calendarUses(partition, calendar), job.text())
        .run(link, true)
        .map(false);
  }
}
