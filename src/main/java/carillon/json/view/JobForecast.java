package carillon.json.view;

import carillon.job.JobDefinition;
import carillon.json.JsonOut;
import carillon.recurrence.Exclusions;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.Recurrence;
import carillon.recurrence.ScheduleText;
import carillon.recurrence.Timetable;
import carillon.recurrence.WallClock;
import carillon.recurrence.calendar.JobCalendars;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Forecast of a job: its schedule in words, the next occurrences, and how many lie on each day of
 * the next weeks, by the calendar of its time zone, each as if all started on time.
 *
 * @param definition of the job
 * @param created when it was submitted
 * @param next the occurrence that waits; empty where nothing is to come
 * @param occurrence its number, from 1
 * @param exclusions what calendars exclude
 */
public record JobForecast(
    JobDefinition definition,
    Instant created,
    Optional<Instant> next,
    int occurrence,
    Exclusions exclusions) {
  /** Six weeks, as a page of a calendar has them. */
  private static final int DAYS = 42;

  /** More on one day are not told apart. */
  private static final long MAX_PER_DAY = 100_000;

  /** Occurrences that are asked for one by one before spans of time are counted. */
  private static final int MAX_STEPS = 200;

  /** The schedule alone, "every 5 minutes". */
  public String words() {
    Instant start = definition.startTime().orElse(Timetable.NO_START);
    return definition
            .recurrence()
            .map(recurrence -> ScheduleText.of(recurrence, start, created, clock()))
            .orElseGet(() -> ScheduleText.once(start, clock()))
        + definition.occurrences().calendars().map(JobForecast::words).orElse("");
  }

  private static String words(JobCalendars calendars) {
    return words(", except ", calendars.exclude()) + words(", only in ", calendars.only());
  }

  private static String words(String before, List<String> names) {
    return names.isEmpty() ? "" : before + String.join(" or ", names);
  }

  private Optional<WallClock> clock() {
    return definition.timeZone().map(JobTimeZone::clock);
  }

  private ZoneId zone() {
    return clock().map(WallClock::zone).orElse(ZoneOffset.UTC);
  }

  /**
   * The forecast as a document.
   *
   * @param top most occurrences listed
   */
  public byte[] document(int top) {
    return JsonOut.object(
        json -> {
          writeFields(json, top);
        });
  }

  void writeFields(JsonGenerator json, int top) throws IOException {
    json.writeStringField("schedule", words());
    Timetable timetable = timetable();
    new OccurrencesWriter(definition, timetable, next.orElse(created), upcoming(timetable, top))
        .writeFields(json);
    json.writeArrayFieldStart("days");
    if (next.isPresent()) {
      writeDays(json, next.get(), timetable);
    }
    json.writeEndArray();
  }

  /** How many occurrences begin in {@code [from, until)}. */
  public long count(Instant from, Instant until) {
    long[] counts = new long[1];
    count(from, Duration.between(from, until), counts);
    return counts[0];
  }

  /** The first occurrence from this instant on, if there is one. */
  public Optional<Instant> first(Instant from) {
    if (remaining() == 0 || next.isEmpty() || !next.get().isBefore(from)) {
      return remaining() == 0 ? Optional.empty() : next;
    }
    return timetable().after(from.minusNanos(1));
  }

  /**
   * Adds the occurrences in successive spans of time.
   *
   * @param from when the first span begins
   * @param width of each span
   * @param counts one for each span
   */
  public void count(Instant from, Duration width, long[] counts) {
    Timetable timetable = timetable();
    Instant end = from.plus(width.multipliedBy(counts.length));
    long left = remaining();
    Optional<Instant> at = next;
    for (int steps = 0; steps < MAX_STEPS && left > 0 && !exclusions.isSpent(); steps++) {
      if (at.isEmpty() || !at.get().isBefore(end)) {
        return;
      }
      if (!at.get().isBefore(from)) {
        counts[span(from, width, at.get())]++;
      }
      left--;
      at = timetable.after(at.get());
    }
    if (at.isPresent() && at.get().isBefore(end) && left > 0) {
      countBySpans(timetable, from, width, counts, at.get(), left);
    }
  }

  /** For a job that runs so often that its occurrences are not asked for one by one. */
  private void countBySpans(
      Timetable timetable, Instant from, Duration width, long[] counts, Instant next, long all) {
    Instant begin = later(from, next);
    long left = all - (begin.equals(next) ? 0 : timetable.between(next, begin, all));
    int first = span(from, width, begin);
    for (int i = first; i < counts.length && left > 0 && !exclusions.isSpent(); i++) {
      Instant end = from.plus(width.multipliedBy(i + 1L));
      long count = timetable.between(begin, end, Math.min(left, MAX_PER_DAY));
      counts[i] += count;
      left -= count;
      begin = end;
    }
  }

  private static int span(Instant from, Duration width, Instant at) {
    return (int) (Duration.between(from, at).toMillis() / width.toMillis());
  }

  private List<Instant> upcoming(Timetable timetable, int top) {
    List<Instant> upcoming = new ArrayList<>();
    long listed = Math.min(top, remaining());
    Optional<Instant> at =
        next.filter(exclusions::excludes).isPresent() ? timetable.after(next.get()) : next;
    while (at.isPresent() && upcoming.size() < listed && !exclusions.isSpent()) {
      upcoming.add(at.get());
      at = timetable.after(at.get());
    }
    return upcoming;
  }

  /** From the day of the next occurrence on, days without any left out. */
  private void writeDays(JsonGenerator json, Instant first, Timetable timetable)
      throws IOException {
    LocalDate day = LocalDate.ofInstant(first, zone());
    long left = remaining();
    for (int i = 0; i < DAYS && left > 0 && !exclusions.isSpent(); i++) {
      Instant from = later(first, start(day.plusDays(i)));
      long count = timetable.between(from, start(day.plusDays(i + 1)), Math.min(left, MAX_PER_DAY));
      if (count > 0) {
        json.writeStartObject();
        json.writeStringField("date", day.plusDays(i).toString());
        json.writeNumberField("count", count);
        json.writeEndObject();
        left -= count;
      }
    }
  }

  private Instant start(LocalDate day) {
    return day.atStartOfDay(zone()).toInstant();
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  /** One that counts from actual starts is, if all are on time, a grid from the next one on. */
  private Timetable timetable() {
    Timetable timetable = definition.timetable(created).except(exclusions);
    if (!timetable.drifts() || next.isEmpty()) {
      return timetable;
    }
    Recurrence recurrence = definition.recurrence().orElseThrow();
    return Timetable.of(recurrence, next.get(), next.get(), clock()).except(exclusions);
  }

  private long remaining() {
    int count = definition.recurrence().map(Recurrence::count).orElse(1);
    return count == Recurrence.NO_COUNT ? Long.MAX_VALUE : Math.max(0, count - occurrence + 1L);
  }
}
