package carillon.job;

import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.Secret;
import carillon.job.action.TraceContext;
import carillon.job.attempt.Attempt;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.Recurrence;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.timetable.Exclusions;
import carillon.recurrence.timetable.Timetable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Definition of a job, as a client gives it: its actions, its start and its recurrence.
 *
 * @param startTime the first instant; absent means immediately
 * @param action the main action
 * @param errorAction performed once for each execution in which all attempts of the main action
 *     failed
 * @param recurrence absent for a one-time job
 * @param trace of the request that submitted it; attempts go on in the same trace
 * @param timeZone of the local times of the schedule; absent for UTC
 * @param occurrences policy for occurrences
 * @param pauseAfterFailures number of faulted executions in a row that disables the job; absent if
 *     none does
 * @param metadata description and labels
 */
public record JobDefinition(
    Optional<Instant> startTime,
    Action action,
    Optional<Action> errorAction,
    Optional<Recurrence> recurrence,
    Optional<TraceContext> trace,
    Optional<JobTimeZone> timeZone,
    OccurrencePolicy occurrences,
    OptionalInt pauseAfterFailures,
    Metadata metadata) {
  private static final String MAIN = "action.";
  private static final String ERROR = "action.errorAction.";

  /**
   * Description and labels of a job, for searches. They do not change what the job does.
   *
   * @param description for people
   * @param labels by name, in the order of the names
   */
  public record Metadata(Optional<String> description, Map<String, String> labels) {
    /** Metadata of a job without description and labels. */
    public static final Metadata NONE = new Metadata(Optional.empty(), Map.of());

    public static final String NAME_RULE =
        "must be 1 to 63 of a-z, 0-9, '-', '_' and '.', and begin and end with a letter or digit";
    public static final String VALUE_RULE =
        "must be 1 to 63 letters of English, digits and any of -_.:/=+@";

    /**
     * Names and values need no quotes or escapes in a filter, a command line or the stored form.
     */
    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[-_.a-z0-9]{0,61}[a-z0-9])?");

    private static final Pattern VALUE = Pattern.compile("[-_.:/=+@A-Za-z0-9]{1,63}");

    public Metadata {
      labels = labels.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(labels));
    }

    /** Whether it obeys {@link #NAME_RULE}. */
    public static boolean isName(String name) {
      return NAME.matcher(name).matches();
    }

    /** Whether it obeys {@link #VALUE_RULE}. */
    public static boolean isValue(String value) {
      return VALUE.matcher(value).matches();
    }
  }

  /** A job that runs once, when it is submitted. */
  public JobDefinition(Action action, Optional<Action> errorAction) {
    this(
        Optional.empty(),
        action,
        errorAction,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OccurrencePolicy.NONE,
        OptionalInt.empty(),
        Metadata.NONE);
  }

  /** Whether this job does the same as another, regardless of description, labels and trace. */
  public boolean doesTheSameAs(JobDefinition other) {
    return withTrace(Optional.empty())
        .withMetadata(Metadata.NONE)
        .equals(other.withTrace(Optional.empty()).withMetadata(Metadata.NONE));
  }

  /** Returns this definition with another description and other labels. */
  public JobDefinition withMetadata(Metadata other) {
    return with(startTime, trace, other);
  }

  /** Returns this definition with another start time. */
  public JobDefinition withStartTime(Optional<Instant> other) {
    return with(other, trace, metadata);
  }

  /** Returns this definition as submitted within another trace, or none. */
  public JobDefinition withTrace(Optional<TraceContext> other) {
    return with(startTime, other, metadata);
  }

  private JobDefinition with(
      Optional<Instant> otherStart, Optional<TraceContext> otherTrace, Metadata otherMetadata) {
    return new JobDefinition(
        otherStart,
        action,
        errorAction,
        recurrence,
        otherTrace,
        timeZone,
        occurrences,
        pauseAfterFailures,
        otherMetadata);
  }

  /** Whether this definition names flows or calendars, which must exist. */
  public boolean namesOthers() {
    return namesFlows() || occurrences.calendars().isPresent();
  }

  private boolean namesFlows() {
    return action.flow().isPresent() || errorAction.flatMap(Action::flow).isPresent();
  }

  /** Actions that name a flow, by the name of that property. */
  public Map<String, Action> actionsInFlows() {
    if (!namesFlows()) {
      return Map.of();
    }
    Map<String, Action> actions = new LinkedHashMap<>();
    if (action.flow().isPresent()) {
      actions.put(MAIN + "flow", action);
    }
    errorAction
        .filter(error -> error.flow().isPresent())
        .ifPresent(error -> actions.put(ERROR + "flow", error));
    return actions;
  }

  /** Instants of this job. Without a start time they count from its creation. */
  public Timetable timetable(Instant created) {
    Instant start = startTime.orElse(Timetable.NO_START);
    return recurrence
        .map(given -> Timetable.of(given, start, created, timeZone.map(JobTimeZone::clock)))
        .orElseGet(() -> Timetable.once(start, created));
  }

  /**
   * Instants of this job, except those that calendars exclude.
   *
   * @param job whose group has the calendars
   */
  public Timetable timetable(Instant created, JobKey job, CalendarDirectory directory) {
    return timetable(created).except(exclusions(job, directory));
  }

  /**
   * Exclusions by the job's calendars.
   *
   * @param job whose group has the calendars
   */
  public Exclusions exclusions(JobKey job, CalendarDirectory directory) {
    return occurrences
        .calendars()
        .map(named -> directory.exclusions(job.group(), named, zone()))
        .orElse(Exclusions.NONE);
  }

  /** The time zone of the job, UTC by default. */
  public ZoneId zone() {
    return timeZone.map(given -> given.clock().zone()).orElse(ZoneOffset.UTC);
  }

  /**
   * Returns the local time of an occurrence, with its offset. The local time stays when the rules
   * of the time zone change. Empty if the occurrence is an instant that does not depend on those
   * rules.
   */
  public Optional<OffsetDateTime> localOf(Instant occurrence, Instant created) {
    return timeZone.flatMap(
        zone ->
            timetable(created)
                .localOf(occurrence)
                .or(
                    () ->
                        zone.clock()
                            .start()
                            .filter(start -> startTime.filter(occurrence::equals).isPresent())
                            .map(start -> start.atOffset(offset(zone, occurrence)))));
  }

  /**
   * Returns the instant of an occurrence by the current rules of the time zone. Empty if no
   * occurrence remains.
   *
   * @param local as {@link #localOf} returned it, maybe under other rules
   */
  public Optional<Instant> retimed(OffsetDateTime local, Instant created) {
    Timetable timetable = timetable(created);
    return timetable.isLocal() ? timetable.retimed(local) : startTime;
  }

  private static ZoneOffset offset(JobTimeZone zone, Instant at) {
    return zone.clock().zone().getRules().getOffset(at);
  }

  /**
   * The action that a phase attempts.
   *
   * @throws java.util.NoSuchElementException for the error action of a job without one
   */
  public Action action(Attempt.Phase phase) {
    return phase == Attempt.Phase.MAIN ? action : errorAction.orElseThrow();
  }

  /** True when {@code occurrence} (1-based) is beyond the count of the recurrence. */
  public boolean isBeyondCount(int occurrence) {
    return recurrence
        .filter(r -> r.count() != Recurrence.NO_COUNT && occurrence > r.count())
        .isPresent();
  }

  /** Mapping of a call to another call. */
  @FunctionalInterface
  public interface CallMapping {
    /**
     * Returns the replacement for a call.
     *
     * @param place of the action, {@code action.} or {@code action.errorAction.}
     */
    ActionCall apply(String place, ActionCall call);
  }

  /** Returns this definition with both calls replaced, or itself if they are the same. */
  public JobDefinition mapCalls(CallMapping mapping) {
    return with(
        action.with(mapping.apply(MAIN, action.call())),
        errorAction.map(error -> error.with(mapping.apply(ERROR, error.call()))));
  }

  /** Returns this definition with every secret replaced, or itself if it has no secret. */
  public JobDefinition mapSecrets(Secret.Mapping mapping) {
    return mapCalls((place, call) -> secretsMapped(call, place, mapping));
  }

  /**
   * Returns a call with every secret replaced; {@code place} is the prefix of its fields' names.
   */
  private static ActionCall secretsMapped(ActionCall call, String place, Secret.Mapping mapping) {
    return call.mapSecrets((field, secret) -> mapping.apply(place + field, secret));
  }

  /** Seals or unseals the secrets of the call of one phase. */
  public static ActionCall mapSecrets(
      ActionCall call, Attempt.Phase phase, Secret.Mapping mapping) {
    return secretsMapped(call, phase == Attempt.Phase.MAIN ? MAIN : ERROR, mapping);
  }

  /**
   * Returns the first field with a stored secret to keep, because the client left it out. Empty if
   * there is none.
   */
  public Optional<String> firstKept() {
    Map<String, Secret> kept = kept();
    return kept.isEmpty() ? Optional.empty() : Optional.of(kept.keySet().iterator().next());
  }

  /** Stored secrets to keep, by field. */
  private Map<String, Secret> kept() {
    Map<String, Secret> kept = new LinkedHashMap<>();
    mapSecrets(
        (field, secret) -> {
          if (secret.isKept()) {
            kept.put(field, secret);
          }
          return secret;
        });
    return kept;
  }

  /**
   * Returns this definition with every omitted secret taken from the stored one. Fails with INVALID
   * if the stored one has no such secret, or one of another owner or for another server.
   */
  public JobDefinition keeping(Optional<JobDefinition> stored) {
    JobDefinition whole =
        with(
            action.with(kept(action.call(), stored.map(old -> old.action.call()))),
            errorAction.map(
                a -> a.with(kept(a.call(), stored.flatMap(o -> o.errorAction).map(Action::call)))));
    whole
        .kept()
        .forEach(
            (field, secret) -> {
              throw JobException.invalid(field + ": " + refusal(field, secret, stored));
            });
    return whole;
  }

  private String refusal(String field, Secret secret, Optional<JobDefinition> stored) {
    boolean isMask = secret.equals(Secret.MASKED) || HttpCall.isVisible(field);
    String what = isMask ? "'" + Secret.MASK + "' keeps the stored value" : "is missing";
    boolean isError = field.startsWith(ERROR);
    ActionCall call = (isError ? errorAction.orElseThrow() : action).call();
    Optional<Action> old = stored.flatMap(o -> isError ? o.errorAction : Optional.of(o.action));
    return what + old.flatMap(a -> moved(a.call(), call)).orElse(unknown(field, isMask));
  }

  private static Optional<String> moved(ActionCall from, ActionCall to) {
    return from instanceof HttpCall old
            && to instanceof HttpCall call
            && !old.secretOwner().equals(call.secretOwner())
        ? Optional.of(
            "; a stored secret goes only where it was given for, "
                + old.secretOwner()
                + ", not to "
                + call.secretOwner()
                + "; give it again")
        : Optional.empty();
  }

  private static String unknown(String field, boolean isMask) {
    if (isMask) {
      return ", and there is none"
          + (HttpCall.isVisible(field) ? "" : " of the same type, user and audience")
          + "; give the value itself";
    }
    return "; it can be left out only where the stored action has one of the same type, the same"
        + " user and the same audience";
  }

  private static ActionCall kept(ActionCall call, Optional<ActionCall> stored) {
    return stored
        .filter(old -> old.secretOwner().equals(call.secretOwner()))
        .map(call::keeping)
        .orElse(call);
  }

  private JobDefinition with(Action main, Optional<Action> error) {
    boolean same = main.equals(action) && error.equals(errorAction);
    return same
        ? this
        : new JobDefinition(
            startTime,
            main,
            error,
            recurrence,
            trace,
            timeZone,
            occurrences,
            pauseAfterFailures,
            metadata);
  }
}
