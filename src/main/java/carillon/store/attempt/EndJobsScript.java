package carillon.store.attempt;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobState;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;

/**
 * Calls of the script {@code end_jobs}, which records successes of one-time jobs in batches.
 * Confined to the event loop of its link.
 */
final class EndJobsScript {
  private static final Script<Ended> END = Script.returningWord("end_jobs", Ended.class);

  private final RedisLink link;
  private final Keys keys;
  private final String node;

  EndJobsScript(RedisLink link, Keys keys, String node) {
    this.link = link;
    this.keys = keys;
    this.node = node;
  }

  enum Ended {
    /** The outcome is recorded and the job is completed. */
    COMPLETED,
    /** Not recorded. The caller must use the script {@code finish}. */
    OTHER
  }

  /** Whether the script may record an outcome, if the outcome has no entry in the attempt log. */
  boolean covers(Attempt attempt, AttemptOutcome outcome) {
    return !link.isSharded()
        && outcome.isMainSuccess()
        && attempt.isFirst()
        && outcome.finalState().filter(JobState.COMPLETED::equals).isPresent()
        && outcome.following().isEmpty()
        && outcome.mostFailures().isEmpty()
        && !outcome.isExclusive();
  }

  Future<Ended> end(Claim claim, AttemptOutcome outcome) {
    return END.on(link)
        .shared("node", node)
        .arg("slot", keys.slot(keys.partition(claim.attempt().job())))
        .arg("claim", claim.text())
        .arg("started", IsoInstant.text(outcome.entry().start()))
        .arg("ended", outcome.entry().end().toEpochMilli())
        .arg("entry", StoredJson.write(outcome.entry()))
        .runBatched();
  }
}
