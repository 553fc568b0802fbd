package carillon.store.job;

import static java.time.temporal.ChronoUnit.MILLIS;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.HistoryMark;
import carillon.job.IsoInstant;
import carillon.job.JobKey;
import carillon.job.StoredJob;
import carillon.json.view.HistoryMarkCodec;
import carillon.recurrence.Exclusions.OnExcluded;
import carillon.recurrence.Timetable;
import carillon.recurrence.calendar.CalendarDirectory;
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
 * Store of what new rules of time zones and changed calendars ask for: the version of the tz
 * database by which the stored next occurrences were computed, the jobs that have a local time, and
 * the move of a next occurrence to another instant. Confined to the event loop of its link.
 */
public final class RetimingStore {
  private static final String VERSION = "tzdata";
  private static final String WAITING = "job:";

  /** About how many entries of {@code due} one answer has. */
  private static final int SLICE = 256;

  private final RedisLink link;
  private final Keys keys;
  private final AuditLog audit;
  private final InstantSource clock;
  private final Supplier<CalendarDirectory> calendars;

  /**
   * A store.
   *
   * @param calendars as this process knows them
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

  /** The version by which next occurrences were computed; empty where none was noted yet. */
  public Future<Optional<String>> version() {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg(VERSION))
        .map(version -> Optional.ofNullable(version).map(Response::toString));
  }

  /** Notes the version by which all next occurrences are computed by now. */
  public Future<Void> note(String version) {
    return link.send(Request.cmd(Command.HSET).arg(keys.meta()).arg(VERSION).arg(version))
        .mapEmpty();
  }

  /**
   * A part of the jobs of a partition whose next occurrence waits and stands for a local time.
   *
   * @param cursor where the next part begins, {@link #END} behind the last
   */
  public record RetimingSlice(List<JobKey> jobs, String cursor) {
    /** Before the first part, and behind the last one. */
    public static final String END = "0";
  }

  /** The part that begins at the cursor. One that waits all the while is in some part. */
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

  /** A key that holds no hash has none. */
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
   * Moves the next occurrence of a job to where the rules of its time zone and its calendars put it
   * now, and notes that in the audit log. Leaves alone what is there already, what was claimed or
   * changed meanwhile, and what cannot be read.
   *
   * @param why for the note, such as the version of the tz database
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

  /** Where the local time of the next occurrence lies by the rules of now. */
  private static Optional<Instant> moved(StoredJob job, Response fields) {
    OffsetDateTime local = OffsetDateTime.parse(fields.get("local").toString());
    return job.definition().retimed(local, job.created());
  }

  /**
   * The next occurrence by the calendars of now. Empty where one is due already, which is judged
   * when it is claimed.
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

  /** It is due late at its instant, unless that is not behind what was begun: then now. */
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

  /** Counted from the actual start. One that is not excluded is at most moved to an earlier one. */
  private static Optional<Instant> drifting(Timetable timetable, StoredJob job, Instant now) {
    boolean isExcluded = job.next().flatMap(timetable::exclusion).isPresent();
    return job.last()
        .flatMap(timetable::awaitedAfter)
        .filter(now::isBefore)
        .or(() -> timetable.awaitedAfter(now))
        .filter(at -> isExcluded || job.next().filter(at::isBefore).isPresent());
  }

  /** Each occurrence is later than those that were begun. */
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
