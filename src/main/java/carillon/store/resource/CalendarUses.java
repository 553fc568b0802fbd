package carillon.store.resource;

import carillon.bounded.AsyncLoops;
import carillon.job.ErrorCode;
import carillon.job.JobKey;
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
 * Sets of the jobs that name a calendar, one in each partition. A job may have gone, or may name it
 * no more: whoever reads a set looks at its jobs, and takes out those. Every future may fail with
 * {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class CalendarUses {
  private static final String START = "0";

  /** About how many jobs are looked at together. */
  private static final int SLICE = 256;

  private final RedisLink link;
  private final Keys keys;

  public CalendarUses(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** Notes that a job names calendars of its group. */
  public Future<Void> add(JobKey job, JobCalendars named) {
    int partition = keys.partition(job.text());
    return Future.all(
            named.names().stream()
                .map(name -> keys.calendarUses(partition, calendar(job, name)))
                .map(set -> link.send(Request.cmd(Command.SADD).arg(set).arg(job.text())))
                .toList())
        .mapEmpty();
  }

  /** The key of a calendar of a job's group. */
  public static String calendar(JobKey job, String name) {
    return (job.group() + "/" + name).toLowerCase(Locale.ROOT);
  }

  /**
   * How many jobs name a calendar.
   *
   * @param calendar its key
   * @param limit about where to stop counting
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
   * Performs a step for one part after the other of the jobs of a partition that name a calendar,
   * as long as the step answers true.
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
   * A part of the jobs of a partition that name a calendar.
   *
   * @param next cursor of the next part; empty behind the last
   */
  public record UsesSlice(List<JobKey> jobs, Optional<String> next) {}

  /** The first part. */
  public Future<UsesSlice> slice(int partition, String calendar) {
    return slice(partition, calendar, START);
  }

  /** The part at a cursor. A job that names the calendar all the while is in some part. */
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
   * Whether a job names a calendar. One that cannot be read counts: it may be mended.
   *
   * @param calendar its key
   * @param definition of the job as it is stored; null where there is no such job
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

  /** Takes out a job, unless it has changed since it was looked at. */
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
