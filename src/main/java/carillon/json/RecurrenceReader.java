package carillon.json;

import carillon.job.JobException;
import carillon.recurrence.Frequency;
import carillon.recurrence.Recurrence;
import carillon.recurrence.Schedule;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Reads how often a job repeats. */
final class RecurrenceReader {
  private static final Set<String> KNOWN =
      Set.of("frequency", "interval", "count", "endTime", "schedule");
  private static final EnumNames<Frequency> ALL_FREQUENCIES =
      EnumNames.named(Stream.of(Frequency.values()));
  private static final EnumNames<Frequency> AZURE_FREQUENCIES =
      EnumNames.named(Arrays.stream(Frequency.values()).filter(f -> f != Frequency.SECOND));

  private final Dialect dialect;
  private final ScheduleReader schedules;
  private final EnumNames<Frequency> frequencies;

  RecurrenceReader(Dialect dialect) {
    this.dialect = dialect;
    this.schedules = new ScheduleReader(dialect);
    this.frequencies = frequencies(dialect);
  }

  /** The frequencies that the dialect speaks of. */
  static EnumNames<Frequency> frequencies(Dialect dialect) {
    return dialect.hasSeconds() ? ALL_FREQUENCIES : AZURE_FREQUENCIES;
  }

  Recurrence read(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    Frequency frequency = fields.requiredWord("frequency", frequencies);
    int interval = fields.integer("interval", 1, frequency.maxInterval()).orElse(1);
    int count = fields.integer("count", 1, Integer.MAX_VALUE).orElse(Recurrence.NO_COUNT);
    Instant endTime = fields.instant("endTime").orElse(Recurrence.NO_END);
    Schedule schedule = fields.object("schedule").map(schedules::read).orElse(Schedule.NONE);
    return combined(frequency, interval, count, endTime, schedule);
  }

  /** What may stand together is the record's own rule, and its message the service's. */
  private static Recurrence combined(
      Frequency frequency, int interval, int count, Instant endTime, Schedule schedule) {
    try {
      return new Recurrence(frequency, interval, count, endTime, schedule);
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(e.getMessage());
    }
  }
}
