package carillon.json.schedule;

import carillon.job.JobDefinition;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.NameRules;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.recurrence.Recurrence;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.calendar.JobCalendars;
import carillon.recurrence.timetable.Exclusions;
import carillon.recurrence.timetable.Exclusions.OnExcluded;
import carillon.recurrence.timetable.Timetable;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Codec of the calendars that a job names: {@code calendars}. */
public final class JobCalendarsCodec {
  public static final String NAME = "calendars";

  private static final String EXCLUDE = "exclude";
  private static final String ONLY = "only";
  private static final String ON_EXCLUDED = "onExcluded";
  private static final Set<String> KNOWN = Set.of(EXCLUDE, ONLY, ON_EXCLUDED);
  private static final EnumNames<OnExcluded> ACTIONS =
      EnumNames.of(Stream.of(OnExcluded.values()), OnExcluded::word);

  private static final int LOOKED_AT = 1_000;

  private final Dialect dialect;

  JobCalendarsCodec(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Reads the calendars of a job; empty if it names none. */
  Optional<JobCalendars> read(JsonFields job) {
    Optional<JobCalendars> calendars = job.object(NAME, this::calendars);
    if (calendars.isPresent() && !job.has("recurrence")) {
      String names = String.join(", ", calendars.get().names());
      job.report(JsonFields.refuse(NAME, names, "needs a recurrence"));
    }
    return calendars;
  }

  private JobCalendars calendars(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    JobCalendars calendars =
        new JobCalendars(
            names(fields, EXCLUDE),
            names(fields, ONLY),
            fields.word(ON_EXCLUDED, ACTIONS).orElse(OnExcluded.SKIP));
    if (calendars.names().isEmpty()) {
      throw JobException.invalid("calendars: must have exclude or only");
    }
    if (calendars.names().size() > JobCalendars.MAX) {
      throw JobException.invalid(
          "calendars: "
              + calendars.names().size()
              + " are more than the "
              + JobCalendars.MAX
              + " allowed");
    }
    return calendars;
  }

  /** Refuses calendars that a client names twice. Jobs stored earlier may contain such names. */
  public static void checkSubmitted(JsonFields job) {
    job.object(NAME).ifPresent(fields -> fields.refuseRepeats(NameRules::fold, EXCLUDE, ONLY));
  }

  private static List<String> names(JsonFields fields, String property) {
    List<String> names = fields.texts(property);
    try {
      names.forEach(name -> NameRules.check(fields.place(property), name));
    } catch (JobException e) {
      fields.report(e);
    }
    return names;
  }

  /**
   * Refuses options that do not fit the schedule.
   *
   * @param created when the job was created
   */
  static void check(JobDefinition definition, Instant created) {
    Optional<JobCalendars> byDay =
        definition.occurrences().calendars().filter(given -> given.onExcluded().isByDay());
    if (byDay.isPresent()) {
      Recurrence recurrence = definition.recurrence().orElseThrow();
      int times = timesOfDay(recurrence, definition.startTime().orElse(created));
      if (times > Exclusions.MAX_TIMES_OF_DAY) {
        throw JsonFields.refuse(
            NAME + "." + ON_EXCLUDED,
            byDay.get().onExcluded().word(),
            "needs a recurrence with at most "
                + Exclusions.MAX_TIMES_OF_DAY
                + " different times of day; use skip or after");
      }
    }
  }

  /**
   * Returns the number of different times of day of the first occurrences. It stops just above the
   * maximum.
   */
  private static int timesOfDay(Recurrence recurrence, Instant start) {
    Timetable timetable = Timetable.of(recurrence, start, start);
    Set<LocalTime> times = new HashSet<>();
    Optional<Instant> next = timetable.first(start);
    for (int i = 0;
        i < LOOKED_AT && next.isPresent() && times.size() <= Exclusions.MAX_TIMES_OF_DAY;
        i++) {
      times.add(LocalTime.ofInstant(next.get(), ZoneOffset.UTC));
      next = timetable.after(next.get());
    }
    return times.size();
  }

  /**
   * Refuses calendars that do not exist, and those that leave no occurrence.
   *
   * @param job whose group has the calendars
   * @param former definition before the change: its calendars may have been deleted since, and with
   *     unchanged times the job may wait for calendars to change
   * @param created when the job was created
   */
  public static void check(
      JobDefinition definition,
      JobKey job,
      CalendarDirectory directory,
      Optional<JobDefinition> former,
      Instant created,
      Instant now) {
    Optional<JobCalendars> named = definition.occurrences().calendars();
    if (named.isPresent()) {
      List<String> before =
          former
              .flatMap(given -> given.occurrences().calendars())
              .map(JobCalendars::names)
              .orElse(List.of());
      checkNames(EXCLUDE, named.get().exclude(), job, directory, before);
      checkNames(ONLY, named.get().only(), job, directory, before);
    }
    if (named.isPresent() && former.filter(given -> hasSameTimes(given, definition)).isEmpty()) {
      checkFirst(definition, definition.timetable(created, job, directory), created, now);
    }
  }

  private static boolean hasSameTimes(JobDefinition former, JobDefinition definition) {
    return former.recurrence().equals(definition.recurrence())
        && former.startTime().equals(definition.startTime())
        && former.timeZone().equals(definition.timeZone())
        && former.occurrences().calendars().equals(definition.occurrences().calendars());
  }

  private static void checkNames(
      String property,
      List<String> names,
      JobKey job,
      CalendarDirectory directory,
      List<String> former) {
    for (String name : names) {
      if (!former.contains(name) && directory.isUnreadable(job.group(), name)) {
        throw JobException.invalid(
            NAME + "." + property + ": '" + name + "' cannot be read from Redis; put it again");
      }
      if (!former.contains(name) && directory.find(job.group(), name).isEmpty()) {
        throw JobException.invalid(
            NAME
                + "."
                + property
                + ": '"
                + name
                + "' must be the name of a calendar; make it first");
      }
    }
  }

  private static void checkFirst(
      JobDefinition definition, Timetable timetable, Instant created, Instant now) {
    if (timetable.first(now).isEmpty()) {
      definition
          .timetable(created)
          .first(now)
          .ifPresent(
              excluded -> {
                throw JobException.invalid(
                    NAME
                        + ": "
                        + quoted(definition.occurrences().calendars().orElseThrow().names())
                        + " must leave an occurrence; those from "
                        + excluded
                        + " on are excluded, all of them or too many in a row");
              });
    }
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }

  /** Writes the calendars into the current job. Omits defaults. */
  static void write(JsonGenerator json, JobCalendars calendars) throws IOException {
    json.writeObjectFieldStart(NAME);
    if (!calendars.exclude().isEmpty()) {
      JsonOut.writeTexts(json, EXCLUDE, calendars.exclude());
    }
    if (!calendars.only().isEmpty()) {
      JsonOut.writeTexts(json, ONLY, calendars.only());
    }
    if (calendars.onExcluded() != OnExcluded.SKIP) {
      json.writeStringField(ON_EXCLUDED, calendars.onExcluded().word());
    }
    json.writeEndObject();
  }
}
