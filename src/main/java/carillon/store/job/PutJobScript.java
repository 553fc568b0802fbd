package carillon.store.job;

import carillon.access.AuditEntry.AuditContext;
import carillon.config.Settings.HistorySettings;
import carillon.job.JobDefinition;
import carillon.job.JobVersion;
import carillon.job.Pause;
import carillon.job.Precondition;
import carillon.job.Rescheduling;
import carillon.job.StoredJob;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryMark;
import carillon.job.attempt.HistoryMark.ChangeKind;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.ShortName;
import carillon.json.StoredJson;
import carillon.json.view.HistoryMarkCodec;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.attempt.AttemptStore;
import carillon.store.attempt.StoredDefaults;
import carillon.store.job.CreateJobsScript.Created;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls of the script {@code put_job}, which writes a job's definition and its next occurrence, all
 * or nothing. Confined to the event loop of its link.
 */
final class PutJobScript {
  private static final Script<PutJobReply> PUT = Script.returning("put_job", PutJobReply::of);

  private final RedisLink link;
  private final Keys keys;
  private final AuditLog audit;
  private final HistorySettings history;

  PutJobScript(RedisLink link, Keys keys, AuditLog audit, HistorySettings history) {
    this.link = link;
    this.keys = keys;
    this.audit = audit;
    this.history = history;
  }

  /** The plan for an existing job, and the version from which it was computed. */
  record Rescheduled(JobVersion version, Rescheduling.Result result) {}

  /**
   * Due instant of a job after a write.
   *
   * @param replaces whether the job begins again, with its counters
   * @param next first or next due instant; empty if nothing will wait
   * @param rescheduled plan for an existing job, if the writer has read it
   */
  record NextDue(boolean replaces, Optional<Instant> next, Optional<Rescheduled> rescheduled) {
    /** Due instant for a job that the writer has not read. If it exists, it stays unchanged. */
    static NextDue ofNew(Optional<Instant> next) {
      return new NextDue(true, next, Optional.empty());
    }

    static NextDue replacing(Rescheduled plan) {
      return new NextDue(true, plan.result.next(), Optional.of(plan));
    }

    static NextDue changing(Rescheduled plan) {
      return new NextDue(false, plan.result.next(), Optional.of(plan));
    }

    /**
     * Returns when the waiting entry is due. A released attempt, which was held, gets no jitter.
     */
    private Optional<Instant> due(JobDefinition definition) {
      return rescheduled.flatMap(plan -> plan.result.released()).isPresent()
          ? next
          : next.map(definition.occurrences()::planned);
    }

    private Instant created(Instant now) {
      return rescheduled
          .filter(plan -> !replaces)
          .flatMap(plan -> plan.version.job())
          .map(StoredJob::created)
          .orElse(now);
    }
  }

  /**
   * Reply of put_job.
   *
   * @param revision new revision; 0 if nothing was written
   * @param storedName stored name of a replaced job, {@code collection/job} in its original case,
   *     empty text for the case of the key; else empty text
   */
  record PutJobReply(Word word, long revision, String storedName) {
    private enum Word {
      CREATED,
      REPLACED,
      REFUSED,
      RETIRED,
      MOVED
    }

    private static final String CREATED = Word.CREATED + " ";

    static PutJobReply of(Response reply) {
      String text = reply.toString();
      return text.startsWith(CREATED)
          ? new PutJobReply(
              Word.CREATED, Long.parseLong(text, CREATED.length(), text.length(), 10), "")
          : other(text);
    }

    private static PutJobReply other(String text) {
      int word = wordEnd(text, 0);
      int number = wordEnd(text, word + 1);
      return new PutJobReply(
          Word.valueOf(text.substring(0, word)),
          word < number ? Long.parseLong(text, word + 1, number, 10) : 0,
          number < text.length() ? text.substring(number + 1) : "");
    }

    private static int wordEnd(String text, int from) {
      int space = text.indexOf(' ', from);
      return space < 0 ? text.length() : space;
    }

    /** Returns the reply for a job that create_jobs has created or left as it is. */
    static PutJobReply of(Created created, Instant now, Precondition condition) {
      if (created == Created.CREATED) {
        return new PutJobReply(Word.CREATED, now.toEpochMilli(), "");
      }
      boolean mayExist = condition.kind() == Precondition.Kind.NONE;
      return new PutJobReply(mayExist ? Word.MOVED : Word.REFUSED, 0, "");
    }

    boolean isCreated() {
      return word == Word.CREATED;
    }

    /** Returns the name that the job keeps. */
    JobName name(JobName given) {
      return isCreated()
          ? given
          : given
              .collection()
              .job(ShortName.jobIn(StoredDefaults.name(storedName, new JobKey(given.key()))));
    }

    /** Fails like {@link JobStore#put} if nothing was written. */
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
   * Writes a job, unless its {@link PutJobReply#check} fails.
   *
   * @param behind sends the commands that follow the batch
   */
  Future<PutJobReply> put(
      JobContent content,
      NextDue nextDue,
      Precondition condition,
      AuditContext context,
      Instant now,
      Supplier<? extends Future<?>> behind) {
    Instant created = nextDue.created(now);
    Script.CallBuilder<PutJobReply> call =
        call(
            content,
            new ScheduleTexts(
                nextDue.replaces ? "replace" : "change",
                nextDue.next.map(IsoInstant::text).orElse(""),
                nextDue
                    .next
                    .flatMap(at -> content.definition().localOf(at, created))
                    .map(Object::toString)
                    .orElse(""),
                content
                    .resumedAt()
                    .or(() -> nextDue.due(content.definition()))
                    .map(EpochMillis::text)
                    .orElse("")),
            condition,
            context,
            now);
    nextDue.rescheduled.ifPresent(
        plan -> {
          add(call, content, plan, now);
          addMark(call, content, nextDue.replaces, plan.version, context, now);
        });
    return call.runBatched(behind);
  }

  /**
   * Writes new labels or a new description of an existing job, also while it is under way. Fails
   * like {@link #put}.
   *
   * @param version version of the job that the writer has read
   * @param behind sends the commands that follow the batch
   */
  Future<PutJobReply> putWords(
      JobContent content,
      JobVersion version,
      AuditContext context,
      Instant now,
      Supplier<? extends Future<?>> behind) {
    Precondition unchanged = Precondition.revision(version.job().orElseThrow().revision());
    Script.CallBuilder<PutJobReply> call =
        call(content, ScheduleTexts.AS_IT_IS, unchanged, context, now)
            .arg("fingerprint", version.fingerprint())
            .arg("waiting", "")
            .arg("skipped", 0)
            .arg("entry", "")
            .arg("bounds", "");
    addMark(call, content, false, version, context, now);
    return call.runBatched(behind);
  }

  /** New schedule of a job, in the terms of the script. */
  private record ScheduleTexts(String mode, String next, String local, String due) {
    static final ScheduleTexts AS_IT_IS = new ScheduleTexts("words", "", "", "");
  }

  /** Returns a call with its keys, and with the arguments that all writes need. */
  private Script.CallBuilder<PutJobReply> call(
      JobContent content,
      ScheduleTexts schedule,
      Precondition condition,
      AuditContext context,
      Instant now) {
    String job = content.name().key();
    int partition = keys.partition(job);
    return PUT.on(link)
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .key("jobs", keys.jobs(partition, new JobKey(job).collection()))
        .key("epochs", keys.epochs(partition))
        .key("audit", keys.audit(partition))
        .arg("key", job)
        .arg("condition", condition.argument())
        .arg("now", now.toEpochMilli())
        .iso("now", now)
        .arg("name", StoredDefaults.storedName(content.name()))
        .arg("definition", StoredJson.write(content.definition()))
        .arg("state", content.state().word())
        .arg("next", schedule.next)
        .arg("due", schedule.due)
        .arg("mode", schedule.mode)
        .arg("epoch", content.epoch())
        .args("audit_append", audit.arguments(context))
        .arg("local", schedule.local)
        .arg("audited", audit.keepsNewDefinitions() ? "definition" : "");
  }

  private static void addMark(
      Script.CallBuilder<PutJobReply> call,
      JobContent content,
      boolean replaces,
      JobVersion version,
      AuditContext context,
      Instant now) {
    HistoryMark mark = mark(content, replaces, version.job(), context, now);
    addField(call, HistoryMarkCodec.FIELD, HistoryMarkCodec.with(version.marks(), mark));
  }

  private static HistoryMark mark(
      JobContent content,
      boolean replaces,
      Optional<StoredJob> former,
      AuditContext context,
      Instant now) {
    boolean isSame =
        content.pause().isEmpty() || content.pause().equals(former.flatMap(StoredJob::pause));
    ChangeKind change =
        ChangeKind.of(
            replaces, former.filter(job -> isSame).map(StoredJob::state), content.state());
    Optional<String> note =
        content.pause().filter(pause -> change == ChangeKind.DISABLED).flatMap(Pause::note);
    return new HistoryMark(now, change, context.by(), note, former.map(HistoryMarkCodec::former));
  }

  private void add(
      Script.CallBuilder<PutJobReply> call, JobContent content, Rescheduled plan, Instant now) {
    Rescheduling.Result result = plan.result;
    call.arg("fingerprint", plan.version.fingerprint())
        .arg("waiting", waiting(content, result))
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
    content.pause().ifPresent(pause -> addField(call, "pause", StoredJson.write(pause)));
  }

  private static String waiting(JobContent content, Rescheduling.Result result) {
    String job = content.name().key();
    if (content.resumedAt().isPresent()) {
      return "resume:" + job;
    }
    return result.released().map(Attempt::member).orElse(result.isScheduled() ? "job:" + job : "");
  }

  private static void addField(Script.CallBuilder<PutJobReply> call, String field, String value) {
    call.arg("name", field).arg("name", value);
  }
}
