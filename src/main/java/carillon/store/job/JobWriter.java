package carillon.store.job;

import carillon.access.AuditEntry.AuditContext;
import carillon.config.Settings.HistorySettings;
import carillon.job.JobVersion;
import carillon.job.Precondition;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.SharedClock;
import carillon.store.job.CreateJobsScript.Created;
import carillon.store.job.PutJobScript.NextDue;
import carillon.store.job.PutJobScript.PutJobReply;
import io.vertx.core.Future;
import java.time.Instant;

/**
 * Writer of jobs. Writes by {@code create_jobs} if that can write the job, else by {@code put_job}.
 * Confined to the event loop of its link.
 */
final class JobWriter {
  private final RedisLink link;
  private final AuditLog audit;
  private final SharedClock clock;
  private final CreateJobsScript creation;
  private final PutJobScript replacement;

  JobWriter(RedisLink link, Keys keys, AuditLog audit, HistorySettings history, SharedClock clock) {
    this.link = link;
    this.audit = audit;
    this.clock = clock;
    this.creation = new CreateJobsScript(link, keys, audit);
    this.replacement = new PutJobScript(link, keys, audit, history);
  }

  /** Writes a job, unless its {@link PutJobReply#check} fails. */
  Future<PutJobReply> write(
      JobContent content,
      NextDue nextDue,
      Precondition condition,
      AuditContext context,
      Instant now) {
    return isToBeNew(nextDue, condition)
        ? creation
            .create(content, nextDue.next(), context, now, this::compareClocks)
            .compose(
                created ->
                    created == Created.OTHER
                        ? put(content, nextDue, condition, context, now)
                        : Future.succeededFuture(PutJobReply.of(created, now, condition)))
        : put(content, nextDue, condition, context, now);
  }

  private boolean isToBeNew(NextDue nextDue, Precondition condition) {
    return nextDue.rescheduled().isEmpty()
        && condition.allowsNew()
        && !audit.keepsNewDefinitions()
        && !link.isSharded();
  }

  private Future<PutJobReply> put(
      JobContent content,
      NextDue nextDue,
      Precondition condition,
      AuditContext context,
      Instant now) {
    return replacement.put(content, nextDue, condition, context, now, this::compareClocks);
  }

  /**
   * Writes new labels or a new description of an existing job, also while it is under way. Fails
   * like {@link #write}.
   *
   * @param version version of the job that the writer has read
   */
  Future<PutJobReply> writeWords(
      JobContent content, JobVersion version, AuditContext context, Instant now) {
    return replacement.putWords(content, version, context, now, this::compareClocks);
  }

  /**
   * Compares the clock with Redis'. Not in a Cluster, where another server has the authoritative
   * clock.
   */
  private Future<?> compareClocks() {
    long asked = clock.ask();
    return link.isSharded()
        ? Future.succeededFuture()
        : link.time().map(micros -> clock.check(asked, micros));
  }
}
