package carillon.store.job;

import carillon.config.Settings.HistorySettings;
import carillon.job.Attempt;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.IsoInstant;
import carillon.job.JobDefinition;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.JobVersion;
import carillon.job.Rescheduling;
import carillon.job.ShortName;
import carillon.job.StoredJob;
import carillon.json.StoredDefaults;
import carillon.json.StoredJson;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import carillon.store.attempt.AttemptStore;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Optional;

/**
 * Calls of the script {@code put_job}, which writes a job's definition and its next occurrence, all
 * or nothing. Confined to the event loop of its link.
 */
final class PutJobScript {
  private static final Script<Written> PUT = Script.returning("put_job", Written::of);

  private final RedisLink link;
  private final Keys keys;
  private final AuditLog audit;
  private final HistorySettings history;
  private final SharedClock clock;

  PutJobScript(
      RedisLink link, Keys keys, AuditLog audit, HistorySettings history, SharedClock clock) {
    this.link = link;
    this.keys = keys;
    this.audit = audit;
    this.history = history;
    this.clock = clock;
  }

  /** The schedule of a job that is there, from a change on. */
  record Scheduled(JobVersion seen, Rescheduling.Result result) {}

  /**
   * Reply of put_job.
   *
   * @param revision of what was written; 0 when nothing was
   * @param storedName of a job that was replaced, {@code collection/job} in the case it was first
   *     given, empty text for that of the key; else empty text
   */
  record Written(Word word, long revision, String storedName) {
    private enum Word {
      CREATED,
      REPLACED,
      REFUSED,
      RETIRED,
      MOVED
    }

    static Written of(Response reply) {
      String text = reply.toString();
      int word = wordEnd(text, 0);
      int number = wordEnd(text, word + 1);
      return new Written(
          Word.valueOf(text.substring(0, word)),
          word < number ? Long.parseLong(text, word + 1, number, 10) : 0,
          number < text.length() ? text.substring(number + 1) : "");
    }

    private static int wordEnd(String text, int from) {
      int space = text.indexOf(' ', from);
      return space < 0 ? text.length() : space;
    }

    boolean isCreated() {
      return word == Word.CREATED;
    }

    /** The name that the job keeps. */
    JobName name(JobName given) {
      return isCreated()
          ? given
          : given
              .collection()
              .job(ShortName.jobIn(StoredDefaults.name(storedName, new JobKey(given.key()))));
    }

    /** Fails as {@link JobStore#put} does when nothing was written. */
    void check(JobName name) {
      switch (word) {
        case CREATED, REPLACED -> {}
        case REFUSED -> throw JobReader.conditionFailed(name);
        case RETIRED -> throw new StaleCollectionException();
        case MOVED -> throw new MovedJobException();
      }
    }
  }

  /**
   * Writes a job, unless its {@link Written#check} fails.
   *
   * @param next when it is due first or next; empty when nothing is to wait
   * @param condition any, absent, present, or the revision that must be current
   * @param scheduled of a job that is there, as the caller has seen it
   * @param replaces whether counters begin again
   */
  Future<Written> write(
      JobName name,
      long epoch,
      JobDefinition definition,
      JobState state,
      Optional<Instant> next,
      String condition,
      AuditContext change,
      Optional<Scheduled> scheduled,
      boolean replaces,
      Instant now) {
    String job = name.key();
    int partition = keys.partition(job);
    Instant created = replaces ? now : created(scheduled).orElse(now);
    Script.Call<Written> call =
        PUT.on(link)
            .key("job", keys.job(partition, job))
            .key("due", keys.due(partition))
            .key("jobs", keys.jobs(partition, new JobKey(job).collection()))
            .key("epochs", keys.epochs(partition))
            .key("audit", keys.audit(partition))
            .arg("key", job)
            .arg("condition", condition)
            .arg("now", now.toEpochMilli())
            .iso("now", now)
            .arg("name", StoredDefaults.storedName(name))
            .arg("definition", StoredJson.write(definition))
            .arg("state", state.word())
            .arg("next", next.map(at -> text(at, definition, created)).orElse(""))
            .arg("due", next.map(EpochMillis::text).orElse(""))
            .arg("mode", replaces ? "replace" : "change")
            .arg("epoch", epoch)
            .args("audit_append", audit.arguments(change));
    scheduled.ifPresent(schedule -> add(call, job, schedule, now));
    return call.runBatched(this::compareClocks);
  }

  /** Behind a space the local time that the occurrence stands for, if it does. */
  private static String text(Instant next, JobDefinition definition, Instant created) {
    String local = definition.localOf(next, created).map(known -> " " + known).orElse("");
    return IsoInstant.text(next) + local;
  }

  private static Optional<Instant> created(Optional<Scheduled> scheduled) {
    return scheduled.flatMap(known -> known.seen().job()).map(StoredJob::created);
  }

  /** In a Cluster the clock that counts is in another server. */
  private Future<?> compareClocks() {
    long asked = clock.ask();
    return link.isSharded()
        ? Future.succeededFuture()
        : link.time().map(micros -> clock.check(asked, micros));
  }

  private void add(Script.Call<Written> call, String job, Scheduled scheduled, Instant now) {
    Rescheduling.Result result = scheduled.result();
    call.arg("standing", scheduled.seen().text())
        .arg(
            "waiting",
            result.released().map(Attempt::member).orElse(result.waits() ? "job:" + job : ""))
        .arg("skipped", result.skipped())
        .arg("entry", result.entry().map(StoredJson::write).orElse(""))
        .arg("bounds", AttemptStore.historyBounds(history, now));
    result
        .claimedOccurrence()
        .ifPresent(at -> addField(call, "claimedOccurrence", IsoInstant.text(at)));
    result
        .attemptRevision()
        .ifPresent(revision -> addField(call, "attemptRevision", revision.toString()));
    result.heldAttempt().ifPresent(attempt -> addField(call, "heldAttempt", attempt.member()));
    if (result.occurrence() > 1) {
      addField(call, "occurrence", Integer.toString(result.occurrence()));
    }
  }

  private static void addField(Script.Call<Written> call, String field, String value) {
    call.arg("name", field).arg("name", value);
  }
}
