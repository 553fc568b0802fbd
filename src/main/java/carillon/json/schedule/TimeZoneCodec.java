package carillon.json.schedule;

import static carillon.json.text.Dialect.Switch.STRICT;

import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.JobTimeZone.ZoneLocation;
import carillon.recurrence.WallClock;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.rrule.RuleTime.Form;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Codec of a job's time zone: {@code timeZone}, {@code recurrence.timeZone} and {@code dst}, with
 * the times that are local in it. They are stored as given, and interpreted each time a job is
 * read.
 */
final class TimeZoneCodec {
  private static final String FIELD = "timeZone";
  private static final Set<String> DST = Set.of("gap", "fold");
  private static final EnumNames<Gap> GAPS = EnumNames.of(Gap.class);
  private static final EnumNames<Fold> FOLDS = EnumNames.of(Fold.class);

  private final Dialect dialect;

  TimeZoneCodec(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Reads the time zone of a job; empty if it has none.
   *
   * @param recurrence of the job
   * @param rules of the recurrence
   */
  Optional<JobTimeZone> read(
      JsonFields job, Optional<JsonFields> recurrence, Optional<RecurrenceSet> rules) {
    Optional<String> own = job.text(FIELD);
    Optional<String> inner = recurrence.flatMap(fields -> fields.text(FIELD));
    Optional<String> inCron = recurrence.flatMap(CronCodec::timeZone);
    Optional<String> within = inCron.or(() -> rules.flatMap(RecurrenceSet::zone));
    if (within.isPresent()) {
      String field = inCron.isPresent() ? CronCodec.EXPRESSION : RruleCodec.RULES;
      if (own.isPresent() || inner.isPresent()) {
        throw JobException.invalid(
            "timeZone: recurrence." + field + " has one already; leave one out");
      }
      ZoneId zone = zone(recurrence.orElseThrow(), field, within.get());
      return Optional.of(
          read(job, recurrence, localStart(rules), within.get(), ZoneLocation.EXPRESSION, zone));
    }
    if (own.isEmpty() && inner.isEmpty()) {
      if (job.has("dst")) {
        job.report(JobException.invalid("dst: needs a timeZone"));
      }
      return Optional.empty();
    }
    Optional<ZoneId> ownZone = own.map(name -> zone(job, name));
    Optional<ZoneId> innerZone = inner.map(name -> zone(recurrence.orElseThrow(), name));
    if (own.isPresent() && inner.isPresent() && !ownZone.equals(innerZone)) {
      job.report(
          recurrence.orElseThrow().refusal(FIELD, "must be the same as timeZone, or be left out"));
    }
    return Optional.of(
        read(
            job,
            recurrence,
            localStart(rules),
            own.or(() -> inner).orElseThrow(),
            own.isPresent() ? ZoneLocation.JOB : ZoneLocation.RECURRENCE,
            ownZone.or(() -> innerZone).orElseThrow()));
  }

  private JobTimeZone read(
      JsonFields job,
      Optional<JsonFields> recurrence,
      Optional<LocalDateTime> startInRules,
      String name,
      ZoneLocation location,
      ZoneId zone) {
    WallClock clock =
        new WallClock(
            zone,
            job.object("dst", this::policy).orElse(DstPolicy.AUTO),
            job.local("startTime").or(() -> startInRules),
            recurrence.flatMap(fields -> fields.local("endTime")));
    if (dialect.isChecked()) {
      checkExists(job, clock);
    }
    if (dialect.has(STRICT)) {
      checkComesOnce(job, clock);
    }
    return new JobTimeZone(name, location, clock);
  }

  /** Returns the start of rules, if it is a local time. */
  private static Optional<LocalDateTime> localStart(Optional<RecurrenceSet> rules) {
    return rules
        .flatMap(RecurrenceSet::start)
        .filter(start -> start.form() != Form.UTC)
        .map(RuleTime::time);
  }

  private static ZoneId zone(JsonFields fields, String name) {
    return zone(fields, FIELD, name);
  }

  private static ZoneId zone(JsonFields fields, String field, String name) {
    return TimeZoneNames.find(name)
        .orElseThrow(() -> JsonFields.refuse(fields.place(field), name, TimeZoneNames.rule(name)));
  }

  private DstPolicy policy(JsonFields fields) {
    fields.allowOnly(DST, dialect);
    return new DstPolicy(
        fields.word("gap", GAPS).orElse(Gap.AUTO), fields.word("fold", FOLDS).orElse(Fold.AUTO));
  }

  /**
   * Refuses a nonexistent start with dst.gap skip, since a one-time job cannot skip its only
   * instant.
   */
  private static void checkExists(JsonFields job, WallClock clock) {
    boolean isOnce = !job.has("recurrence") && clock.dst().gap() == Gap.SKIP;
    Optional<LocalDateTime> start = clock.start();
    if (isOnce && start.isPresent() && !clock.has(start.get())) {
      job.report(job.refusal("startTime", "does not exist in this time zone, and dst.gap is skip"));
    }
  }

  /**
   * Refuses a repeated start with dst.fold both, since a one-time job cannot run at both instants.
   */
  private static void checkComesOnce(JsonFields job, WallClock clock) {
    boolean isOnce = !job.has("recurrence") && clock.dst().fold() == Fold.BOTH;
    Optional<LocalDateTime> start = clock.start();
    if (isOnce
        && start.isPresent()
        && clock.zone().getRules().getValidOffsets(start.get()).size() > 1) {
      job.report(
          JsonFields.refuse(
              "dst.fold",
              word(Fold.BOTH),
              "needs a recurrence, as startTime '"
                  + job.text("startTime").map(Quoted::of).orElse("")
                  + "' comes twice in this time zone; use first or last"));
    }
  }

  /** Writes the properties next to the recurrence. Omits defaults. */
  static void write(JsonGenerator json, JobTimeZone zone) throws IOException {
    if (zone.location() == ZoneLocation.JOB) {
      json.writeStringField(FIELD, zone.name());
    }
    DstPolicy dst = zone.clock().dst();
    if (!dst.equals(DstPolicy.AUTO)) {
      json.writeObjectFieldStart("dst");
      if (dst.gap() != Gap.AUTO) {
        json.writeStringField("gap", word(dst.gap()));
      }
      if (dst.fold() != Fold.AUTO) {
        json.writeStringField("fold", word(dst.fold()));
      }
      json.writeEndObject();
    }
  }

  /** Writes the property within the recurrence. */
  static void writeInner(JsonGenerator json, JobTimeZone zone) throws IOException {
    if (zone.location() == ZoneLocation.RECURRENCE) {
      json.writeStringField(FIELD, zone.name());
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
