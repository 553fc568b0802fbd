package carillon.json.view;

import carillon.job.JobDefinition;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.recurrence.MovedTime;
import carillon.recurrence.WallClock;
import carillon.recurrence.timetable.Timetable;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;

/**
 * Writer of upcoming occurrences: {@code occurrences}, and for a job with jitter {@code planned},
 * their due times. For a job with a time zone also {@code localTimes}, and {@code moved}: the local
 * times that a change of the clocks skips or repeats.
 */
final class OccurrencesWriter {
  /** Maximum number of moved local times. A schedule of each second has thousands in an hour. */
  private static final int MAX_MOVED = 100;

  /** Longest gap: Samoa skipped a day. */
  private static final Duration MAX_MOVE = Duration.ofDays(1);

  private final JobDefinition definition;
  private final Timetable timetable;
  private final Instant from;
  private final List<Instant> occurrences;

  /**
   * A writer.
   *
   * @param from earliest time for moved local times
   * @param occurrences of the timetable, in their order
   */
  OccurrencesWriter(
      JobDefinition definition, Timetable timetable, Instant from, List<Instant> occurrences) {
    this.definition = definition;
    this.timetable = timetable;
    this.from = from;
    this.occurrences = occurrences;
  }

  void writeFields(JsonGenerator json) throws IOException {
    JsonOut.writeTexts(json, "occurrences", occurrences.stream().map(Timestamps::format).toList());
    if (definition.occurrences().jitter().isPresent()) {
      JsonOut.writeTexts(
          json,
          "planned",
          occurrences.stream()
              .map(definition.occurrences()::planned)
              .map(Timestamps::format)
              .toList());
    }
    if (definition.timeZone().isPresent()) {
      WallClock clock = definition.timeZone().get().clock();
      JsonOut.writeTexts(
          json, "localTimes", occurrences.stream().map(at -> local(at, clock.zone())).toList());
      json.writeArrayFieldStart("moved");
      for (MovedTime time : moved(clock)) {
        write(json, time);
      }
      json.writeEndArray();
    }
  }

  /** The local time at an instant, with its offset. */
  static String local(Instant at, ZoneId zone) {
    LocalDateTime local = LocalDateTime.ofInstant(at, zone);
    return Timestamps.format(local) + zone.getRules().getOffset(at).getId();
  }

  /** Returns the local times that are moved between the first and the last occurrence. */
  List<MovedTime> moved(WallClock clock) {
    if (occurrences.isEmpty()) {
      return List.of();
    }
    Instant last = occurrences.get(occurrences.size() - 1);
    List<MovedTime> near =
        definition.recurrence().isEmpty()
            ? clock.movedStart().stream().toList()
            : timetable.moved(from.minus(MAX_MOVE), last.plus(MAX_MOVE), MAX_MOVED);
    return near.stream().filter(time -> isWithin(time, from, last)).toList();
  }

  private static boolean isWithin(MovedTime time, Instant from, Instant last) {
    List<Instant> made = time.occurrences();
    return (made.isEmpty() ? List.of(time.transition().getInstant()) : made)
        .stream().anyMatch(at -> !at.isBefore(from) && !at.isAfter(last));
  }

  private void write(JsonGenerator json, MovedTime time) throws IOException {
    json.writeStartObject();
    json.writeStringField("localTime", Timestamps.format(time.local()));
    json.writeStringField("reason", time.isMissing() ? "gap" : "fold");
    Enum<?> policy = time.isMissing() ? time.dst().gap() : time.dst().fold();
    json.writeStringField("policy", policy.name().toLowerCase(Locale.ROOT));
    JsonOut.writeTexts(
        json, "occurrences", time.occurrences().stream().map(Timestamps::format).toList());
    json.writeStringField("why", time.why());
    json.writeEndObject();
  }
}
