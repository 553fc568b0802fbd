package carillon.json.view;

import carillon.job.JobDefinition;
import carillon.job.Pause;
import carillon.job.collection.Hold;
import carillon.json.PauseCodec;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.Recurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.calendar.JobCalendars;
import carillon.recurrence.timetable.Exclusions;
import carillon.recurrence.timetable.ScheduleText;
import carillon.recurrence.timetable.Timetable;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Forecast of a job: its schedule in words, the next occurrences, and their number on each day of
 * the next weeks. Days are those of its time zone. The forecast assumes that all occurrences start
 * on time.
 *
 * @param definition of the job
 * @param created when it was submitted
 * @param next the waiting occurrence; empty if none will follow
 * @param occurrence its number, from 1
 * @param exclusions by calendars
 */
public record JobForecast(
    JobDefinition definition,
    Instant created,
    Optional<Instant> next,
    int occurrence,
    Exclusions exclusions) {
  /** Number of days: six weeks, as on a page of a calendar. */
  private static final int DAYS = 42;

  /** Maximum number of occurrences to count on one day. */
  private static final long MAX_PER_DAY = 100_000;

  /** Number of occurrences to visit one by one, before spans of time are counted. */
  private static final int MAX_STEPS = 200;

  /** Describes the schedule alone, "every 5 minutes". */
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
   * Returns the forecast as a document.
   *
   * @param top maximum number of listed occurrences
   * @param now start of the list, after the overdue occurrence
   * @param waits pause that holds the job back
   * @param pauses by an instant, the pause around it
   */
  public byte[] document(
      int top, Instant now, Optional<Hold> waits, Function<Instant, Optional<Hold>> pauses) {
    return JsonOut.object(
        json -> {
          writeFields(json, upcoming(top, now), now, pauses);
          PauseCodec.writeWaits(json, waits);
        });
  }

  private void writeFields(
      JsonGenerator json,
      List<Instant> upcoming,
      Instant now,
      Function<Instant, Optional<Hold>> pauses)
      throws IOException {
    json.writeStringField("schedule", words());
    Timetable timetable = timetable(later(next.orElse(now), now));
    new OccurrencesWriter(definition, timetable, next.orElse(created), upcoming).writeFields(json);
    json.writeArrayFieldStart("days");
    if (next.isPresent()) {
      writeDays(json, later(next.get(), now), timetable);
    }
    json.writeEndArray();
    writePauses(json, upcoming, pauses);
  }

  private static void writePauses(
      JsonGenerator json, List<Instant> upcoming, Function<Instant, Optional<Hold>> pauses)
      throws IOException {
    Map<Hold, List<Instant>> held = new LinkedHashMap<>();
    for (Instant at : upcoming) {
      pauses
          .apply(at)
          .ifPresent(hold -> held.computeIfAbsent(hold, none -> new ArrayList<>()).add(at));
    }
    if (held.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("pauses");
    for (Map.Entry<Hold, List<Instant>> one : held.entrySet()) {
      json.writeStartObject();
      PauseCodec.writeWaits(json, Optional.of(one.getKey()));
      JsonOut.writeTexts(
          json, "occurrences", one.getValue().stream().map(Timestamps::format).toList());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Number of occurrences that begin in {@code [from, until)}. */
  public long count(Instant from, Instant until) {
    long[] counts = new long[1];
    count(from, Duration.between(from, until), counts);
    return counts[0];
  }

  /** Returns the first occurrence from this instant on, if there is one. */
  public Optional<Instant> first(Instant from) {
    if (remaining() == 0 || next.isEmpty() || !next.get().isBefore(from)) {
      return remaining() == 0 ? Optional.empty() : next;
    }
    return timetable().after(from.minusNanos(1));
  }

  /**
   * Adds the number of occurrences in successive spans of time.
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

  /**
   * Adds the number of counted occurrences that lie in pauses.
   *
   * @param from when the first span begins
   * @param width of each span
   * @param counts result of {@link #count} for each span
   * @param paused one for each span
   */
  public void countPaused(
      Instant from, Duration width, long[] counts, List<Hold> pauses, long[] paused) {
    Instant end = from.plus(width.multipliedBy(counts.length));
    Instant counted = from;
    for (Hold hold : pauses.stream().sorted(Comparator.comparing(JobForecast::since)).toList()) {
      Instant begin = later(since(hold), counted);
      Instant stop = earlier(until(hold).orElse(end), end);
      if (begin.isBefore(stop)) {
        countPaused(from, width, counts, begin, stop, paused);
        counted = stop;
      }
    }
  }

  private void countPaused(
      Instant from, Duration width, long[] counts, Instant begin, Instant stop, long[] paused) {
    int last = span(from, width, stop.minusMillis(1));
    for (int i = span(from, width, begin); i <= last; i++) {
      Instant first = from.plus(width.multipliedBy(i));
      Instant end = first.plus(width);
      if (counts[i] > 0) {
        boolean isWhole = !begin.isAfter(first) && !stop.isBefore(end);
        paused[i] += isWhole ? counts[i] : count(later(begin, first), earlier(stop, end));
      }
    }
  }

  private static Instant since(Hold hold) {
    return hold.pause().map(Pause::since).orElse(Instant.EPOCH).truncatedTo(ChronoUnit.MILLIS);
  }

  private static Optional<Instant> until(Hold hold) {
    return hold.pause().flatMap(Pause::until).map(end -> end.truncatedTo(ChronoUnit.MILLIS));
  }

  /** Counts by spans of time, for a job that runs too often to visit its occurrences one by one. */
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

  /** Returns the occurrences from now on, after the overdue one. */
  private List<Instant> upcoming(int top, Instant now) {
    List<Instant> upcoming = new ArrayList<>();
    long listed = Math.min(top, remaining());
    Timetable timetable = timetable(later(next.orElse(now), now));
    boolean isDrifting = definition.timetable(created).drifts();
    Instant before = isDrifting ? now : now.minusNanos(1);
    Optional<Instant> at =
        next.filter(exclusions::excludes).isPresent() ? timetable.after(next.get()) : next;
    while (at.isPresent() && upcoming.size() < listed && !exclusions.isSpent()) {
      upcoming.add(at.get());
      at = timetable.after(later(at.get(), before));
    }
    return upcoming;
  }

  /**
   * Writes the number of occurrences of each day, from the day of an instant on. Omits days without
   * any.
   */
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

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private Timetable timetable() {
    return timetable(next.orElse(created));
  }

  /**
   * Returns the timetable. If it counts from actual starts, and all are on time, it is a grid from
   * the next occurrence on.
   */
  private Timetable timetable(Instant start) {
    Timetable timetable = definition.timetable(created).except(exclusions);
    if (!timetable.drifts() || next.isEmpty()) {
      return timetable;
    }
    Recurrence recurrence = definition.recurrence().orElseThrow();
    return Timetable.of(recurrence, start, start, clock()).except(exclusions);
  }

  private long remaining() {
    int count = definition.recurrence().map(Recurrence::count).orElse(1);
    return count == Recurrence.NO_COUNT ? Long.MAX_VALUE : Math.max(0, count - occurrence + 1L);
  }
}
