package carillon.job;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.Exclusions;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.Timetable;
import carillon.recurrence.calendar.CalendarDirectory;
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
 * Definition of a job, as a client asks for it: what to do, when first and how often.
 *
 * @param startTime when first; absent means at once
 * @param action the main action
 * @param errorAction performed once per execution whose attempts of the main action all failed
 * @param recurrence absent for a one-time job
 * @param trace of the request that submitted it; attempts go on in the same trace
 * @param timeZone whose local times the schedule is in; absent for UTC
 * @param occurrences what becomes of occurrences that are late
 * @param pauseAfterFailures so many faulted executions in a row disable the job; absent for none
 * @param metadata what it says of itself
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
  /**
   * The stored format that knows time zones, cron expressions, the timeouts and flows of actions,
   * policies of occurrences and metadata: a node of an earlier one would run such jobs in UTC,
   * otherwise than they say, not understand them, or lose what they say of themselves.
   */
  public static final int SCHEDULE_FORMAT = 3;

  private static final String MAIN = "action.";
  private static final String ERROR = "action.errorAction.";

  /**
   * What a job says of itself, for those who look for it. It changes nothing of what the job does.
   *
   * @param description for people
   * @param labels by name, in the order of the names
   */
  public record Metadata(Optional<String> description, Map<String, String> labels) {
    /** Of a job that says nothing of itself. */
    public static final Metadata NONE = new Metadata(Optional.empty(), Map.of());

    public static final String NAME_RULE =
        "must be 1 to 63 of a-z, 0-9, '-', '_' and '.', and begin and end with a letter or digit";
    public static final String VALUE_RULE =
        "must be 1 to 63 letters of English, digits and any of -_.:/=+@";

    /** Both go into a filter, a command line and the stored form without quotes or escapes. */
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

    /** The property that a node of an earlier format would lose; empty where there is none. */
    private Optional<String> guardedProperty() {
      return labels.isEmpty() ? description.map(given -> "description") : Optional.of("labels");
    }
  }

  /** A job that runs once, at once. */
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

  /** Whether it does the same as another, whatever the two say of themselves. */
  public boolean doesTheSameAs(JobDefinition other) {
    return withTrace(Optional.empty())
        .withMetadata(Metadata.NONE)
        .equals(other.withTrace(Optional.empty()).withMetadata(Metadata.NONE));
  }

  /** This definition with another description and other labels. */
  public JobDefinition withMetadata(Metadata other) {
    return with(startTime, trace, other);
  }

  /** This definition with another start time. */
  public JobDefinition withStartTime(Optional<Instant> other) {
    return with(other, trace, metadata);
  }

  /** This definition as submitted within another trace, or none. */
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

  /** The property that needs nodes of {@link #SCHEDULE_FORMAT}; empty where none does. */
  public Optional<String> guardedProperty() {
    if (recurrence.filter(CronRecurrence.class::isInstance).isPresent()) {
      return Optional.of("recurrence.cron");
    }
    if (recurrence.filter(RruleRecurrence.class::isInstance).isPresent()) {
      return Optional.of("recurrence.rrule");
    }
    if (pauseAfterFailures.isPresent()) {
      return Optional.of("pauseAfterFailures");
    }
    return timeZone
        .map(zone -> "timeZone")
        .or(occurrences::guardedProperty)
        .or(() -> action.guardedProperty().map(MAIN::concat))
        .or(() -> errorAction.flatMap(Action::guardedProperty).map(ERROR::concat))
        .or(metadata::guardedProperty);
  }

  /** Whether it names flows or calendars, which have to be there. */
  public boolean namesOthers() {
    return namesFlows() || occurrences.calendars().isPresent();
  }

  private boolean namesFlows() {
    return action.flow().isPresent() || errorAction.flatMap(Action::flow).isPresent();
  }

  /** The flows that the actions name, by the property in which they do. */
  public Map<String, String> flows() {
    if (!namesFlows()) {
      return Map.of();
    }
    Map<String, String> flows = new LinkedHashMap<>();
    action.flow().ifPresent(flow -> flows.put(MAIN + "flow", flow));
    errorAction.flatMap(Action::flow).ifPresent(flow -> flows.put(ERROR + "flow", flow));
    return flows;
  }

  /** The instants of this job, counted from its creation where it gives no start time. */
  public Timetable timetable(Instant created) {
    Instant start = startTime.orElse(Timetable.NO_START);
    return recurrence
        .map(given -> Timetable.of(given, start, created, timeZone.map(JobTimeZone::clock)))
        .orElseGet(() -> Timetable.once(start, created));
  }

  /**
   * The instants of this job, less those that calendars exclude.
   *
   * @param job whose group has the calendars
   */
  public Timetable timetable(Instant created, JobKey job, CalendarDirectory directory) {
    return timetable(created).except(exclusions(job, directory));
  }

  /**
   * What calendars exclude.
   *
   * @param job whose group has the calendars
   */
  public Exclusions exclusions(JobKey job, CalendarDirectory directory) {
    return occurrences
        .calendars()
        .map(named -> directory.exclusions(job.group(), named, zone()))
        .orElse(Exclusions.NONE);
  }

  private ZoneId zone() {
    return timeZone.map(given -> given.clock().zone()).orElse(ZoneOffset.UTC);
  }

  /**
   * The local time that an occurrence stands for, with its offset, which a change of the rules of
   * the time zone keeps. Empty where the occurrence is an instant whatever the rules.
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
   * The instant of an occurrence by the rules of the time zone as they are now. Empty where nothing
   * is left.
   *
   * @param local as {@link #localOf} told it, maybe under other rules
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

  /** Makes a call of a call. */
  @FunctionalInterface
  public interface CallMapping {
    /**
     * The call that takes the place of another.
     *
     * @param place of the action, {@code action.} or {@code action.errorAction.}
     */
    ActionCall apply(String place, ActionCall call);
  }

  /** This definition with both of its calls replaced; itself when they stay the same. */
  public JobDefinition mapCalls(CallMapping mapping) {
    return with(
        action.with(mapping.apply(MAIN, action.call())),
        errorAction.map(error -> error.with(mapping.apply(ERROR, error.call()))));
  }

  /** This definition with every secret of it replaced; itself when it has none. */
  public JobDefinition mapSecrets(Secret.Mapping mapping) {
    return mapCalls((place, call) -> secretsMapped(call, place, mapping));
  }

  /** A call with every secret of it replaced; {@code place} begins the names of its fields. */
  private static ActionCall secretsMapped(ActionCall call, String place, Secret.Mapping mapping) {
    return call.mapSecrets((field, secret) -> mapping.apply(place + field, secret));
  }

  /** Seals or unseals the secrets of the call of one phase. */
  public static ActionCall mapSecrets(
      ActionCall call, Attempt.Phase phase, Secret.Mapping mapping) {
    return secretsMapped(call, phase == Attempt.Phase.MAIN ? MAIN : ERROR, mapping);
  }

  /**
   * The first field whose secret the client left out, so that the stored one is to stay; empty when
   * there is none.
   */
  public Optional<String> firstKept() {
    Map<String, Secret> kept = kept();
    return kept.isEmpty() ? Optional.empty() : Optional.of(kept.keySet().iterator().next());
  }

  /** The secrets that are to stay, by field. */
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
   * This definition with every secret that was left out taken from the stored one. Fails with
   * INVALID where that has none, or one of another owner or for another server.
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
