package carillon.timer;

import carillon.codec.StoredForm;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.job.JobState;
import carillon.job.Run;
import carillon.recurrence.Timetable;
import carillon.store.Arming;
import carillon.store.Claimed;
import carillon.store.Outcome;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what becomes of a claimed run. Knows no clock, no Redis and no thread. */
final class RunPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(RunPlanner.class);

  /** Missed occurrences are counted up to here; beyond it the record says "at least". */
  private static final long COUNTED = 10_000;

  private final int maxCrashes;

  /**
   * A planner.
   *
   * @param maxCrashes an attempt that was in flight on more nodes than this when they died is not
   *     made again
   */
  RunPlanner(int maxCrashes) {
    this.maxCrashes = maxCrashes;
  }

  /** What becomes of a run that was claimed at {@code now}. */
  Plan plan(Claimed claimed, Instant now) {
    Run run = claimed.run();
    if (claimed.job().isEmpty()) {
      return end(Optional.empty(), now, "the job was deleted", Optional.empty());
    }
    Claimed.Job job = claimed.job().get();
    if (run.revision() != job.revision()) {
      return changed(now);
    }
    try {
      return plan(run, job, StoredForm.readJob(job.definition()), now);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("job", run.job())
          .setCause(e)
          .log("stored job cannot be understood, it is faulted");
      return failed(
          Optional.empty(),
          now,
          "the stored job cannot be understood",
          Optional.of(JobState.FAULTED));
    }
  }

  private static Plan changed(Instant now) {
    return end(
        Optional.empty(),
        now,
        "the job was changed or disabled before this attempt",
        Optional.empty());
  }

  private Plan plan(Run run, Claimed.Job job, JobDefinition definition, Instant now) {
    boolean scheduled = run.isFirst() && !run.isManual();
    boolean recurring = definition.recurrence().isPresent();
    if (job.state() != JobState.ENABLED && !run.isManual()) {
      return job.state() == JobState.DISABLED && !recurring
          ? new Plan(Optional.empty(), new Plan.Withhold())
          : changed(now);
    }
    boolean toArm = scheduled && recurring && job.next().filter(run.nominal()::equals).isPresent();
    Optional<Arming> arming =
        toArm ? Optional.of(arm(run, job, definition, now)) : Optional.empty();
    if (run.crashes() > maxCrashes) {
      String reason =
          "given up: " + run.crashes() + " nodes ended while this attempt was in flight on them";
      return failed(
          arming,
          now,
          reason,
          recurring || run.isManual() ? Optional.empty() : Optional.of(JobState.FAULTED));
    }
    if (job.gated()) {
      return scheduled && recurring
          ? end(arming, now, "the job collection is disabled", Optional.empty())
          : new Plan(arming, new Plan.Park());
    }
    return new Plan(
        arming,
        new Plan.Perform(
            job.name(), definition, definition.action(run.phase()).call().destination()));
  }

  private static Arming arm(Run run, Claimed.Job job, JobDefinition definition, Instant now) {
    Timetable timetable = definition.timetable(job.created());
    boolean more = !definition.isBeyondCount(run.occurrence() + 1);
    if (timetable.drifts()) {
      return new Arming(
          run, run, more ? timetable.after(now) : Optional.empty(), 0, Optional.empty());
    }
    Instant latest = timetable.latest(now).filter(run.nominal()::isBefore).orElse(run.nominal());
    long skipped =
        latest.equals(run.nominal()) ? 0 : timetable.between(run.nominal(), latest, COUNTED);
    Run moved = run.movedTo(latest);
    Optional<HistoryEntry> entry =
        skipped == 0 ? Optional.empty() : Optional.of(missed(run, moved, skipped, now));
    return new Arming(
        run, moved, more ? timetable.after(latest) : Optional.empty(), skipped, entry);
  }

  private static HistoryEntry missed(Run run, Run moved, long skipped, Instant now) {
    String count = skipped >= COUNTED ? "at least " + COUNTED : Long.toString(skipped);
    return skipped(
        run,
        now,
        count
            + " occurrences from "
            + run.nominal()
            + " were missed; the latest, of "
            + moved.nominal()
            + ", runs late");
  }

  private static Plan end(
      Optional<Arming> arming, Instant now, String reason, Optional<JobState> once) {
    return new Plan(
        arming,
        new Plan.End(
            run -> new Outcome(run, skipped(run, now, reason), Optional.empty(), false, once)));
  }

  private static Plan failed(
      Optional<Arming> arming, Instant now, String reason, Optional<JobState> once) {
    return new Plan(
        arming,
        new Plan.End(
            run ->
                new Outcome(
                    run,
                    entry(run, now, HistoryEntry.Status.FAILED, reason),
                    Optional.empty(),
                    true,
                    once)));
  }

  /** How a run ends after which nothing could be armed. */
  static Outcome unarmable(Run run, Instant now) {
    String reason = "the next occurrence cannot be stored";
    return new Outcome(
        run,
        entry(run, now, HistoryEntry.Status.FAILED, reason),
        Optional.empty(),
        true,
        Optional.of(JobState.FAULTED));
  }

  private static HistoryEntry skipped(Run run, Instant now, String reason) {
    return entry(run, now, HistoryEntry.Status.SKIPPED, "Not performed: " + reason);
  }

  private static HistoryEntry entry(
      Run run, Instant now, HistoryEntry.Status status, String message) {
    return new HistoryEntry(
        now,
        now,
        run.nominal(),
        status,
        run.phase(),
        run.occurrence(),
        run.attempt() - 1,
        run.executionId(),
        message);
  }
}
