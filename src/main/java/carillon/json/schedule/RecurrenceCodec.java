package carillon.json.schedule;

import static carillon.json.text.Dialect.Switch.SECONDS;
import static carillon.json.text.Dialect.Switch.STRICT;

import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.recurrence.CronRecurrence;
import carillon.recurrence.Frequency;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.Schedule.MonthlyOccurrence;
import carillon.recurrence.rrule.RecurrenceSet;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Codec of recurrences and of the calendar fields of their schedules. */
public final class RecurrenceCodec {
  private static final Set<String> KNOWN =
      Set.of(
          "frequency",
          "interval",
          "count",
          "endTime",
          "schedule",
          "timeZone",
          CronCodec.EXPRESSION,
          CronCodec.DIALECT,
          RruleCodec.RULES);

  /** Properties of each form of a recurrence, by the property that begins the form. */
  private static final Map<String, Set<String>> FORMS =
      Map.of(
          "frequency",
          Set.of("frequency", "interval", "schedule"),
          CronCodec.EXPRESSION,
          Set.of(CronCodec.EXPRESSION, CronCodec.DIALECT),
          RruleCodec.RULES,
          Set.of(RruleCodec.RULES));

  private static final EnumNames<Frequency> ALL_FREQUENCIES = EnumNames.of(Frequency.class);
  private static final EnumNames<Frequency> AZURE_FREQUENCIES =
      EnumNames.of(
          Stream.of(Frequency.values()).filter(f -> f != Frequency.SECOND), Frequency::word);

  private static final List<String> FIELDS =
      List.of("minutes", "hours", "weekDays", "monthDays", "monthlyOccurrences", "months");

  private static final Set<String> SCHEDULE = Set.copyOf(FIELDS);
  private static final Set<String> OCCURRENCE = Set.of("day", "occurrence");
  private static final EnumNames<DayOfWeek> DAYS = EnumNames.of(DayOfWeek.class);

  private final Dialect dialect;
  private final EnumNames<Frequency> frequencies;

  RecurrenceCodec(Dialect dialect) {
    this.dialect = dialect;
    this.frequencies = frequencies(dialect);
  }

  /** The frequencies of the dialect. */
  public static EnumNames<Frequency> frequencies(Dialect dialect) {
    return dialect.has(SECONDS) ? ALL_FREQUENCIES : AZURE_FREQUENCIES;
  }

  /**
   * Reads the recurrence of a job.
   *
   * @param timeZone of the job
   * @param rules of the recurrence
   * @param job whose name cron expressions may use
   */
  Recurrence read(
      JsonFields fields,
      Optional<JobTimeZone> timeZone,
      Optional<RecurrenceSet> rules,
      JobKey job) {
    fields.allowOnly(KNOWN, dialect);
    int count = fields.integer("count", 1, Integer.MAX_VALUE).orElse(Recurrence.NO_COUNT);
    Instant endTime = fields.end(timeZone).orElse(Recurrence.NO_END);
    if (fields.isRefused(RruleCodec.RULES)) {
      throw fields.missing(RruleCodec.RULES);
    }
    if (rules.isPresent()) {
      return RruleCodec.read(fields, rules.get(), count, endTime);
    }
    return fields.has(CronCodec.EXPRESSION)
        ? CronCodec.read(fields, job.text(), count, endTime)
        : periodic(fields, count, endTime);
  }

  private Recurrence periodic(JsonFields fields, int count, Instant endTime) {
    if (fields.has(CronCodec.DIALECT)) {
      fields.report(fields.refusal(CronCodec.DIALECT, "needs cron beside it"));
    }
    Frequency frequency = fields.requiredWord("frequency", frequencies, Frequency.MINUTE);
    int most = fields.isRefused("frequency") ? Integer.MAX_VALUE : frequency.maxInterval();
    int interval = fields.integer("interval", 1, most).orElse(1);
    Schedule schedule = fields.object("schedule", this::schedule).orElse(Schedule.NONE);
    if (fields.isRefused("frequency")) {
      throw fields.missing("frequency");
    }
    if (dialect.has(STRICT)) {
      fields.object("schedule").ifPresent(given -> checkFits(given, frequency));
    }
    return combined(frequency, interval, count, endTime, schedule);
  }

  /** Removes the properties of the present form if a change gives another form. */
  public static void clear(Map<String, Object> current, Map<String, Object> change) {
    FORMS.forEach(
        (form, properties) -> {
          boolean isReplaced =
              FORMS.keySet().stream()
                  .anyMatch(other -> !other.equals(form) && change.get(other) != null);
          if (isReplaced) {
            current.keySet().removeAll(properties);
          }
        });
  }

  private static void checkFits(JsonFields schedule, Frequency frequency) {
    for (String field : FIELDS) {
      Set<Frequency> fitting = PeriodicRecurrence.frequenciesWith(field);
      if (schedule.has(field) && !fitting.contains(frequency)) {
        schedule.report(
            JobException.invalid(
                schedule.place(field)
                    + ": does not go with frequency '"
                    + frequency.word()
                    + "', only with "
                    + fitting.stream().map(Frequency::word).collect(Collectors.joining(", "))));
      }
    }
  }

  /**
   * Creates the recurrence. The record itself checks the combination, with the service's message.
   */
  private static Recurrence combined(
      Frequency frequency, int interval, int count, Instant endTime, Schedule schedule) {
    try {
      return new PeriodicRecurrence(frequency, interval, count, endTime, schedule);
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(e.getMessage());
    }
  }

  /** Reads a schedule. A lone value counts as an array with one element. */
  private Schedule schedule(JsonFields fields) {
    fields.allowOnly(SCHEDULE, dialect);
    Schedule schedule =
        new Schedule(
            fields.integers("minutes", minute -> minute >= 0 && minute <= 59, "0..59"),
            fields.integers("hours", hour -> hour >= 0 && hour <= 23, "0..23"),
            weekDays(fields),
            fields.integers("monthDays", RecurrenceCodec::isMonthDay, "-31..-1 or 1..31"),
            monthlyOccurrences(fields),
            fields.integers("months", month -> month >= 1 && month <= 12, "1..12"));
    if (schedule.isEmpty()) {
      fields.report(
          JobException.invalid("recurrence.schedule: must not be empty; leave it out instead"));
    }
    return schedule;
  }

  private static List<DayOfWeek> weekDays(JsonFields fields) {
    List<DayOfWeek> days = fields.words("weekDays", DAYS);
    if (days.size() > DayOfWeek.values().length) {
      fields.report(
          JobException.invalid(
              fields.place("weekDays") + ": must have at most 7 days, not " + days.size()));
    }
    return days;
  }

  private List<MonthlyOccurrence> monthlyOccurrences(JsonFields fields) {
    return fields.objects("monthlyOccurrences", this::monthlyOccurrence);
  }

  private MonthlyOccurrence monthlyOccurrence(JsonFields fields) {
    fields.allowOnly(OCCURRENCE, dialect);
    DayOfWeek day = fields.requiredWord("day", DAYS, DayOfWeek.MONDAY);
    int occurrence = fields.integer("occurrence", -5, 5).orElse(MonthlyOccurrence.EVERY);
    if (fields.has("occurrence") && occurrence == MonthlyOccurrence.EVERY) {
      fields.report(fields.refusal("occurrence", "must be in -5..-1 or 1..5"));
    }
    return new MonthlyOccurrence(day, occurrence);
  }

  private static boolean isMonthDay(int day) {
    return day != 0 && day >= -31 && day <= 31;
  }

  /** Writes the recurrence as one object: the same words in every dialect. */
  public static void write(
      JsonGenerator json, Recurrence recurrence, Optional<JobTimeZone> timeZone)
      throws IOException {
    json.writeStartObject();
    if (recurrence instanceof PeriodicRecurrence periodic) {
      json.writeStringField("frequency", periodic.frequency().word());
    } else if (recurrence instanceof CronRecurrence cron) {
      CronCodec.write(json, cron);
    } else {
      RruleCodec.write(json, (RruleRecurrence) recurrence);
    }
    if (recurrence.count() != Recurrence.NO_COUNT) {
      json.writeNumberField("count", recurrence.count());
    }
    if (!recurrence.endTime().equals(Recurrence.NO_END)) {
      Optional<LocalDateTime> local = timeZone.flatMap(zone -> zone.clock().end());
      json.writeStringField(
          "endTime",
          local.map(Timestamps::format).orElseGet(() -> Timestamps.format(recurrence.endTime())));
    }
    if (recurrence instanceof PeriodicRecurrence periodic) {
      json.writeNumberField("interval", periodic.interval());
    }
    if (timeZone.isPresent()) {
      TimeZoneCodec.writeInner(json, timeZone.get());
    }
    if (recurrence instanceof PeriodicRecurrence periodic && !periodic.schedule().isEmpty()) {
      writeSchedule(json, periodic.schedule());
    }
    json.writeEndObject();
  }

  private static void writeSchedule(JsonGenerator json, Schedule schedule) throws IOException {
    json.writeObjectFieldStart("schedule");
    writeNumbers(json, "minutes", schedule.minutes());
    writeNumbers(json, "hours", schedule.hours());
    writeDays(json, schedule.weekDays());
    writeNumbers(json, "monthDays", schedule.monthDays());
    writeMonthlyOccurrences(json, schedule.monthlyOccurrences());
    writeNumbers(json, "months", schedule.months());
    json.writeEndObject();
  }

  private static void writeNumbers(JsonGenerator json, String name, List<Integer> numbers)
      throws IOException {
    if (numbers.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart(name);
    for (int number : numbers) {
      json.writeNumber(number);
    }
    json.writeEndArray();
  }

  private static void writeDays(JsonGenerator json, List<DayOfWeek> days) throws IOException {
    if (days.isEmpty()) {
      return;
    }
    JsonOut.writeTexts(json, "weekDays", days.stream().map(day -> word(day)).toList());
  }

  private static String word(DayOfWeek day) {
    return day.name().toLowerCase(Locale.ROOT);
  }

  private static void writeMonthlyOccurrences(
      JsonGenerator json, List<MonthlyOccurrence> occurrences) throws IOException {
    if (occurrences.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("monthlyOccurrences");
    for (MonthlyOccurrence occurrence : occurrences) {
      json.writeStartObject();
      json.writeStringField("day", word(occurrence.day()));
      if (occurrence.occurrence() != MonthlyOccurrence.EVERY) {
        json.writeNumberField("occurrence", occurrence.occurrence());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
