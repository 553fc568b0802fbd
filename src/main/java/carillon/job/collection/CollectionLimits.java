package carillon.job.collection;

import carillon.job.JobDefinition;
import carillon.job.collection.CollectionDefinition.MaxRecurrence;
import carillon.job.collection.CollectionDefinition.Quota;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.recurrence.Frequency;
import carillon.recurrence.Recurrence;
import carillon.recurrence.timetable.ShortestInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Limits on the jobs of a collection. A bound of the explicit quota overrides that of the plan
 * (azure-scheduler, limits of plans). A quota may allow more than its plan, since this is
 * self-hosted software. Without plan and quota there is no bound.
 *
 * @param maxJobs most jobs in the collection
 * @param maxOccurrences largest count of a recurrence, which must then have one
 * @param maxRecurrence the smallest permitted interval
 */
public record CollectionLimits(
    OptionalInt maxJobs, OptionalInt maxOccurrences, Optional<MaxRecurrence> maxRecurrence) {
  public static final CollectionLimits NONE =
      new CollectionLimits(OptionalInt.empty(), OptionalInt.empty(), Optional.empty());

  /** Returns the limits that follow from a definition. */
  public static CollectionLimits of(CollectionDefinition definition) {
    CollectionLimits plan = definition.sku().map(CollectionLimits::ofPlan).orElse(NONE);
    return definition.quota().map(plan::overruledBy).orElse(plan);
  }

  private static CollectionLimits ofPlan(String sku) {
    return switch (sku.toLowerCase(Locale.ROOT)) {
      case "free" -> plan(5, Frequency.HOUR);
      case "p20premium" -> plan(1000, Frequency.MINUTE);
      default -> plan(50, Frequency.MINUTE);
    };
  }

  private static CollectionLimits plan(int maxJobs, Frequency smallest) {
    return new CollectionLimits(
        OptionalInt.of(maxJobs), OptionalInt.empty(), Optional.of(new MaxRecurrence(smallest, 1)));
  }

  private CollectionLimits overruledBy(Quota quota) {
    return new CollectionLimits(
        quota.maxJobCount().isPresent() ? quota.maxJobCount() : maxJobs,
        quota.maxJobOccurrence().isPresent() ? quota.maxJobOccurrence() : maxOccurrences,
        quota.maxRecurrence().or(() -> maxRecurrence));
  }

  /**
   * Refuses with CONFLICT a job that recurs too often. The store checks the number of jobs.
   *
   * @param submitted when the job was submitted
   */
  public void check(JobDefinition job, Instant submitted, CollectionName collection) {
    if (job.recurrence().isPresent()) {
      checkOccurrences(job.recurrence().get(), collection);
      checkInterval(job, job.recurrence().get(), submitted, collection);
    }
  }

  private void checkOccurrences(Recurrence recurrence, CollectionName collection) {
    int count = recurrence.count();
    if (maxOccurrences.isPresent()
        && (count == Recurrence.NO_COUNT || count > maxOccurrences.getAsInt())) {
      throw new JobException(
          ErrorCode.CONFLICT,
          "recurrence.count: "
              + (count == Recurrence.NO_COUNT ? "none" : count)
              + " exceeds the quota maxJobOccurrence of job collection '"
              + collection.collection()
              + "', which is "
              + maxOccurrences.getAsInt());
    }
  }

  private void checkInterval(
      JobDefinition job, Recurrence recurrence, Instant submitted, CollectionName collection) {
    if (maxRecurrence.isEmpty()) {
      return;
    }
    MaxRecurrence smallest = maxRecurrence.get();
    Duration least = ShortestInterval.shortest(smallest.frequency(), smallest.interval());
    Optional<Duration> tooClose =
        ShortestInterval.closerThan(least, recurrence, job.startTime().orElse(submitted));
    if (tooClose.isPresent()) {
      throw new JobException(
          ErrorCode.CONFLICT,
          "recurrence: occurrences "
              + tooClose.get()
              + " apart exceed the quota maxRecurrence of job collection '"
              + collection.collection()
              + "', which is every "
              + smallest.interval()
              + " "
              + smallest.frequency().word());
    }
  }

  /** Text of the limits, the same for equal limits; empty if there are none. */
  public String text() {
    return equals(NONE)
        ? ""
        : "jobs="
            + number(maxJobs)
            + " occurrences="
            + number(maxOccurrences)
            + " every="
            + maxRecurrence.map(r -> r.interval() + r.frequency().word()).orElse("any");
  }

  private static String number(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "any";
  }
}
