package carillon.json.schedule;

import carillon.job.JobDefinition;
import carillon.job.OccurrencePolicy;
import carillon.job.OccurrencePolicy.Catchup;
import carillon.job.OccurrencePolicy.Jitter;
import carillon.job.OccurrencePolicy.Jitter.Per;
import carillon.job.OccurrencePolicy.Missed;
import carillon.job.OccurrencePolicy.Overlap;
import carillon.job.OccurrencePolicy.Overlap.Rule;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.recurrence.calendar.JobCalendars;
import carillon.recurrence.timetable.ShortestInterval;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Codec of a job's policy for the start of its occurrences: {@code missed}, {@code startWithin},
 * {@code jitter}, {@code overlap}, {@code calendars} and {@code priority}.
 */
public final class OccurrencePolicyCodec {
  public static final String MISSED = "missed";
  public static final String START_WITHIN = "startWithin";
  public static final String JITTER = "jitter";
  public static final String OVERLAP = "overlap";
  public static final String BUFFER_MAX = "bufferMax";
  public static final String PRIORITY = "priority";

  /** The word for a job without a rule. */
  public static final String ALLOW_ALL = "allowAll";

  private static final List<String> NAMES =
      List.of(MISSED, START_WITHIN, JITTER, OVERLAP, BUFFER_MAX, PRIORITY, JobCalendarsCodec.NAME);

  private static final Set<String> MISSED_FIELDS = Set.of("run", "max", "pace");
  private static final Set<String> JITTER_FIELDS = Set.of("upTo", "per");
  private static final EnumNames<Per> PERS = EnumNames.of(Per.class);
  private static final Duration LEAST_JITTER = Duration.ofSeconds(1);
  private static final Duration MOST_JITTER = Duration.ofDays(1);
  private static final EnumNames<Catchup> CATCHUPS = EnumNames.of(Catchup.class);
  private static final EnumNames<Optional<Rule>> RULES =
      EnumNames.of(
          Stream.concat(
              Stream.of(Optional.<Rule>empty()), Stream.of(Rule.values()).map(Optional::of)),
          rule -> rule.map(Rule::word).orElse(ALLOW_ALL));
  private static final int MOST_BUFFERED = 100;
  private static final int MOST_MISSED = 1000;
  private static final Duration LEAST_PACE = Duration.ofMillis(100);
  private static final Duration MOST_PACE = Duration.ofHours(1);
  private static final Duration LEAST_START_WITHIN = Duration.ofSeconds(1);
  private static final Duration MOST_START_WITHIN = Duration.ofDays(365);

  private final Dialect dialect;
  private final JobCalendarsCodec calendarsCodec;

  public OccurrencePolicyCodec(Dialect dialect) {
    this.dialect = dialect;
    this.calendarsCodec = new JobCalendarsCodec(dialect);
  }

  /**
   * Reads the policy of a job.
   *
   * @param name of the job, for its jitter
   */
  public OccurrencePolicy read(JsonFields job, JobKey name) {
    return job.hasAny(NAMES) ? readAll(job, name) : OccurrencePolicy.NONE;
  }

  private OccurrencePolicy readAll(JsonFields job, JobKey name) {
    Optional<Missed> missed = job.object(MISSED, this::missed);
    Optional<Duration> startWithin =
        duration(job, START_WITHIN, LEAST_START_WITHIN, MOST_START_WITHIN);
    Optional<Jitter> jitter = jitter(job, name);
    Optional<Overlap> overlap = overlap(job);
    Optional<JobCalendars> calendars = calendarsCodec.read(job);
    int priority =
        job.integer(PRIORITY, OccurrencePolicy.LEAST_PRIORITY, OccurrencePolicy.MOST_PRIORITY)
            .orElse(0);
    if (missed.isEmpty()
        && startWithin.isEmpty()
        && jitter.isEmpty()
        && overlap.isEmpty()
        && calendars.isEmpty()
        && priority == 0) {
      return OccurrencePolicy.NONE;
    }
    if (missed.isPresent() && !job.has("recurrence")) {
      job.report(JsonFields.refuse(MISSED, missed.get().run().word(), "needs a recurrence"));
    }
    if (overlap.isPresent() && !job.has("recurrence")) {
      job.report(job.refusal(OVERLAP, "needs a recurrence"));
    }
    if (startWithin.isPresent()
        && missed.filter(given -> given.run() == Catchup.NONE).isPresent()) {
      job.report(
          job.refusal(
              START_WITHIN,
              "does not go with missed.run 'none', which is a startWithin of PT1M; leave one"
                  + " out"));
    }
    return new OccurrencePolicy(missed, startWithin, jitter, overlap, calendars, priority);
  }

  private static Optional<Overlap> overlap(JsonFields job) {
    Optional<Rule> rule = job.word(OVERLAP, RULES).flatMap(Function.identity());
    OptionalInt room = job.integer(BUFFER_MAX, 1, MOST_BUFFERED);
    if (room.isPresent()
        && rule.filter(Rule.BUFFER_ALL::equals).isEmpty()
        && !job.isRefused(OVERLAP)) {
      job.report(job.refusal(BUFFER_MAX, "goes with overlap 'bufferAll' only"));
    }
    return rule.map(
        given -> room.isPresent() ? new Overlap(given, room.getAsInt()) : new Overlap(given));
  }

  private Optional<Jitter> jitter(JsonFields job, JobKey name) {
    if (job.isText(JITTER)) {
      return duration(job, JITTER, LEAST_JITTER, MOST_JITTER)
          .map(upTo -> new Jitter(upTo, Per.OCCURRENCE, name.text()));
    }
    if (job.has(JITTER) && !job.isObject(JITTER)) {
      throw job.refusal(JITTER, "must be a duration or an object");
    }
    return job.object(JITTER, fields -> jitterOf(fields, name));
  }

  private Jitter jitterOf(JsonFields fields, JobKey name) {
    fields.allowOnly(JITTER_FIELDS, dialect);
    Duration upTo =
        duration(fields, "upTo", LEAST_JITTER, MOST_JITTER)
            .orElseThrow(() -> fields.missing("upTo"));
    return new Jitter(upTo, fields.word("per", PERS).orElse(Per.OCCURRENCE), name.text());
  }

  private Missed missed(JsonFields fields) {
    fields.allowOnly(MISSED_FIELDS, dialect);
    Catchup run = fields.requiredWord("run", CATCHUPS);
    if (run != Catchup.ALL) {
      refuseMisplaced(fields, "max");
      refuseMisplaced(fields, "pace");
      return new Missed(run);
    }
    return new Missed(
        run,
        fields.integer("max", 1, MOST_MISSED).orElse(Missed.MAX),
        duration(fields, "pace", LEAST_PACE, MOST_PACE).orElse(Missed.PACE));
  }

  private static void refuseMisplaced(JsonFields fields, String name) {
    if (fields.has(name)) {
      fields.report(fields.refusal(name, "goes with missed.run 'all' only"));
    }
  }

  private Optional<Duration> duration(
      JsonFields fields, String name, Duration least, Duration most) {
    Optional<Duration> given = fields.duration(name);
    if (dialect.isChecked()
        && given.filter(d -> d.compareTo(least) < 0 || d.compareTo(most) > 0).isPresent()) {
      fields.report(
          fields.refusal(
              name,
              "must be from "
                  + least
                  + " to "
                  + (most.equals(MOST_START_WITHIN) ? "P365D" : most)));
      return Optional.empty();
    }
    return given;
  }

  /**
   * Refuses options that do not fit the schedule.
   *
   * @param created when the job was created
   */
  static void check(JobDefinition definition, Instant created) {
    if (definition.occurrences().equals(OccurrencePolicy.NONE)) {
      return;
    }
    if (definition.occurrences().runsAllMissed() && definition.timetable(created).drifts()) {
      throw JobException.invalid(
          "missed.run: 'all' needs a startTime, a schedule or a cron expression: without them the"
              + " next occurrence is counted from the last one, and none is missed");
    }
    definition
        .occurrences()
        .jitter()
        .ifPresent(jitter -> checkJitter(jitter.upTo(), definition, created));
    JobCalendarsCodec.check(definition, created);
  }

  /** Refuses a jitter that may defer an occurrence beyond the next one. */
  private static void checkJitter(Duration upTo, JobDefinition definition, Instant created) {
    Instant start = definition.startTime().orElse(created);
    definition
        .recurrence()
        .flatMap(recurrence -> ShortestInterval.closerThan(upTo, recurrence, start))
        .ifPresent(
            closer -> {
              throw JobException.invalid(
                  "jitter.upTo: "
                      + upTo
                      + " must be at most the shortest time between two occurrences, and two are "
                      + closer
                      + " apart");
            });
  }

  /**
   * Removes options of another choice of {@code missed.run} or {@code overlap} from a job to patch.
   */
  public static void clear(Map<String, Object> job, Map<String, Object> change) {
    if (change.get(MISSED) instanceof Map<?, ?> changed
        && changed.get("run") != null
        && job.get(MISSED) instanceof Map<?, ?> current) {
      current.clear();
    }
    if (change.containsKey(OVERLAP)) {
      job.remove(BUFFER_MAX);
    }
  }

  /** Writes the policy into the current job. Omits absent properties. */
  public static void write(JsonGenerator json, OccurrencePolicy policy, Dialect dialect)
      throws IOException {
    if (policy.missed().isPresent()) {
      Missed missed = policy.missed().get();
      json.writeObjectFieldStart(MISSED);
      json.writeStringField("run", missed.run().word());
      if (missed.run() == Catchup.ALL) {
        json.writeNumberField("max", missed.max());
        JsonOut.writeDuration(json, "pace", missed.pace(), dialect);
      }
      json.writeEndObject();
    }
    if (policy.calendars().isPresent()) {
      JobCalendarsCodec.write(json, policy.calendars().get());
    }
    if (policy.jitter().isPresent()) {
      json.writeObjectFieldStart(JITTER);
      JsonOut.writeDuration(json, "upTo", policy.jitter().get().upTo(), dialect);
      json.writeStringField("per", policy.jitter().get().per().word());
      json.writeEndObject();
    }
    if (policy.overlap().isPresent()) {
      Overlap overlap = policy.overlap().get();
      json.writeStringField(OVERLAP, overlap.rule().word());
      if (overlap.rule() == Rule.BUFFER_ALL) {
        json.writeNumberField(BUFFER_MAX, overlap.room());
      }
    }
    if (policy.startWithin().isPresent()) {
      JsonOut.writeDuration(json, START_WITHIN, policy.startWithin().get(), dialect);
    }
    if (policy.priority() != 0) {
      json.writeNumberField(PRIORITY, policy.priority());
    }
  }
}
