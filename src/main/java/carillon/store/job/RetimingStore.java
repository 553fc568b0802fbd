package carillon.store.job;

import static java.time.temporal.ChronoUnit.MILLIS;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.StoredJob;
import carillon.job.attempt.HistoryMark;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobKey;
import carillon.json.view.HistoryMarkCodec;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.timetable.Exclusions.OnExcluded;
import carillon.recurrence.timetable.Timetable;
import carillon.redis.ConditionalCommands;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Store for changes of time zone rules and calendars. It holds the version of the tz database for
 * the stored next occurrences, lists the jobs with a local time, and moves next occurrences.
 * Confined to the event loop of its link.
 */
public final class RetimingStore {
  private static final String VERSION = "tzdata";
  private static final String WAITING = "job:";

  /** Approximate number of entries of {@code due} in one answer. */
  private static final int SLICE = 256;

  private final RedisLink link;
  private final Keys keys;
  private final AuditLog audit;
  private final InstantSource clock;
  private final Supplier<CalendarDirectory> calendars;

  /**
   * Creates a store.
   *
   * @param calendars calendars as this process knows them
   */
  public RetimingStore(
      RedisLink link,
      Keys keys,
      AuditLog audit,
      InstantSource clock,
      Supplier<CalendarDirectory> calendars) {
    this.link = link;
    this.keys = keys;
    this.audit = audit;
    this.clock = clock;
    this.calendars = calendars;
  }

  /**
   * Returns the version for which next occurrences were computed; empty if none was recorded yet.
   */
  public Future<Optional<String>> version() {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg(VERSION))
        .map(version -> Optional.ofNullable(version).map(Response::toString));
  }

  /** Records the version for which all next occurrences are computed now. */
  public Future<Void> note(String version) {
    return link.send(Request.cmd(Command.HSET).arg(keys.meta()).arg(VERSION).arg(version))
        .mapEmpty();
  }

  /**
   * A slice of the jobs of a partition whose waiting next occurrence has a local time.
   *
   * @param cursor start of the next slice, {@link #END} after the last one
   */
  public record RetimingSlice(List<JobKey> jobs, String cursor) {
    /** Cursor before the first slice, and after the last one. */
    public static final String END = "0";
  }

  /** Returns the slice at the cursor. A job that waits all the time is in one of the slices. */
  public Future<RetimingSlice> waiting(int partition, String cursor) {
    Request scan = Request.cmd(Command.ZSCAN).arg(keys.due(partition)).arg(cursor);
    return link.send(scan.arg("MATCH").arg(WAITING + "*").arg("COUNT").arg(SLICE))
        .compose(
            reply -> {
              List<JobKey> jobs = jobs(reply.get(1));
              List<Future<Boolean>> local = jobs.stream().map(this::isLocal).toList();
              return Future.join(local)
                  .map(all -> new RetimingSlice(which(jobs, local), reply.get(0).toString()));
            });
  }

  private static List<JobKey> jobs(Response membersAndScores) {
    return IntStream.range(0, membersAndScores.size() / 2)
        .mapToObj(i -> membersAndScores.get(2 * i).toString().substring(WAITING.length()))
        .map(JobKey::new)
        .toList();
  }

  /** Whether the next occurrence has a local time; false if the key holds no hash. */
  private Future<Boolean> isLocal(JobKey job) {
    return link.send(Request.cmd(Command.HEXISTS).arg(hash(job)).arg("local"))
        .map(Response::toBoolean)
        .otherwise(false);
  }

  private static List<JobKey> which(List<JobKey> jobs, List<Future<Boolean>> chosen) {
    return IntStream.range(0, jobs.size())
        .filter(i -> chosen.get(i).result())
        .mapToObj(jobs::get)
        .toList();
  }

  private String hash(JobKey job) {
    return keys.job(keys.partition(job.text()), job.text());
  }

  /**
   * Moves the next occurrence of a job according to the current rules of its time zone and its
   * calendars, and logs that in the audit log. Does nothing if the occurrence is there already, was
   * claimed or changed in the meantime, or cannot be read.
   *
   * @param why reason for the log, such as the version of the tz database
   * @return whether it was moved
   */
  public Future<Boolean> retime(JobKey job, String why) {
    return link.send(Request.cmd(Command.HGETALL).arg(hash(job)))
        .compose(fields -> retime(job, fields, why))
        .recover(RedisLink.unlessUnavailable(false));
  }

  private Future<Boolean> retime(JobKey key, Response fields, String why) {
    StoredJob job;
    Optional<Instant> at;
    try {
      job = new JobHash(fields).read(key.jobName());
      at =
          (job.definition().occurrences().calendars().isPresent()
                  ? permitted(key, job, fields)
                  : moved(job, fields))
              .filter(instant -> isBehindBegun(instant, fields));
    } catch (RuntimeException e) {
      return Future.succeededFuture(false);
    }
    return at.isEmpty() || at.equals(job.next())
        ? Future.succeededFuture(false)
        : move(key, job, fields, at.get(), why);
  }

  /** Returns the instant of the next occurrence's local time by the current rules. */
  private static Optional<Instant> moved(StoredJob job, Response fields) {
    OffsetDateTime local = OffsetDateTime.parse(fields.get("local").toString());
    return job.definition().retimed(local, job.created());
  }

  /**
   * Returns the next occurrence by the current calendars. Empty if one is due already, because its
   * claim checks them.
   */
  private Optional<Instant> permitted(JobKey key, StoredJob job, Response fields) {
    Instant now = clock.instant();
    Timetable timetable = job.definition().timetable(job.created(), key, calendars.get());
    if (job.next().filter(now::isBefore).isEmpty()) {
      return Optional.empty();
    }
    Instant started = job.last().orElse(job.created());
    Optional<Instant> freed =
        job.next()
            .filter(waiting -> mayBePutOff(job))
            .flatMap(waiting -> timetable.freed(now.truncatedTo(MILLIS), waiting, started));
    return freed
        .or(() -> overtaken(timetable, job, fields, now, started))
        .or(
            () ->
                timetable.drifts()
                    ? drifting(timetable, job, now)
                    : following(timetable, job, fields, now));
  }

  private static boolean mayBePutOff(StoredJob job) {
    return job.definition()
        .occurrences()
        .calendars()
        .filter(calendars -> calendars.onExcluded() == OnExcluded.AFTER)
        .isPresent();
  }

  /**
   * Returns when an overtaken occurrence runs: late at its own instant, or now if that instant is
   * not after the last begun occurrence.
   */
  private static Optional<Instant> overtaken(
      Timetable timetable, StoredJob job, Response fields, Instant now, Instant started) {
    return job.next()
        .flatMap(waiting -> timetable.overtaken(now, waiting, started))
        .map(at -> isBehindBegun(at, fields) ? at : now.truncatedTo(MILLIS));
  }

  private static Optional<Instant> following(
      Timetable timetable, StoredJob job, Response fields, Instant now) {
    Response begun = fields.get("claimedOccurrence");
    return begun == null
        ? timetable.awaitedAfter(now)
        : timetable.awaitedAnew(now, IsoInstant.parse(begun.toString()), job.next());
  }

  /**
   * Returns the next occurrence, counted from the actual start. An occurrence that is not excluded
   * only moves to an earlier instant.
   */
  private static Optional<Instant> drifting(Timetable timetable, StoredJob job, Instant now) {
    boolean isExcluded = job.next().flatMap(timetable::exclusion).isPresent();
    return job.last()
        .flatMap(timetable::awaitedAfter)
        .filter(now::isBefore)
        .or(() -> timetable.awaitedAfter(now))
        .filter(at -> isExcluded || job.next().filter(at::isBefore).isPresent());
  }

  /** Whether an instant is after the last begun occurrence, as every occurrence must be. */
  private static boolean isBehindBegun(Instant at, Response fields) {
    Response begun = fields.get("claimedOccurrence");
    return begun == null || at.isAfter(IsoInstant.parse(begun.toString()));
  }

  private Future<Boolean> move(JobKey key, StoredJob job, Response fields, Instant at, String why) {
    String hash = hash(key);
    String due = keys.due(keys.partition(key.text()));
    String member = WAITING + key.text();
    String old = fields.get("next").toString();
    String moved = old + " -> " + IsoInstant.text(at);
    ConditionalCommands move =
        new ConditionalCommands()
            .when(fields.get("revision").toString(), "HGET", hash, "revision")
            .when(old, "HGET", hash, "next")
            .when(due(job, job.next().orElseThrow()), "ZSCORE", due, member)
            .then("ZADD", due, due(job, at), member)
            .then("HSET", hash, "next", IsoInstant.text(at));
    HistoryMark mark =
        new HistoryMark(
            clock.instant(),
            HistoryMark.ChangeKind.RETIMED,
            why,
            Optional.of(moved),
            Optional.of(HistoryMarkCodec.former(job)));
    move.then(
        "HSET",
        hash,
        HistoryMarkCodec.FIELD,
        HistoryMarkCodec.with(new JobHash(fields).marks(), mark));
    local(job, at).ifPresent(local -> move.then("HSET", hash, "local", local));
    AuditContext context = new AuditContext(why, "", "retime job", clock.instant());
    audit.note(move, context, key, "retimed", moved);
    return move.run(link, true);
  }

  private static String due(StoredJob job, Instant nominal) {
    return EpochMillis.text(job.definition().occurrences().planned(nominal));
  }

  private static Optional<String> local(StoredJob job, Instant at) {
    return job.definition().localOf(at, job.created()).map(OffsetDateTime::toString);
  }
}
