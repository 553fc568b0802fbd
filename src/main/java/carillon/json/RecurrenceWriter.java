package carillon.json;

import carillon.recurrence.MonthlyOccurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.Schedule;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Locale;

/** Writes how often a job repeats: the same words in every dialect. */
final class RecurrenceWriter {
  private RecurrenceWriter() {}

  static void write(JsonGenerator json, Recurrence recurrence) throws IOException {
    json.writeStartObject();
    json.writeStringField("frequency", word(recurrence.frequency()));
    if (recurrence.count() != Recurrence.NO_COUNT) {
      json.writeNumberField("count", recurrence.count());
    }
    if (!recurrence.endTime().equals(Recurrence.NO_END)) {
      json.writeStringField("endTime", Timestamps.format(recurrence.endTime()));
    }
    json.writeNumberField("interval", recurrence.interval());
    if (!recurrence.schedule().isEmpty()) {
      writeSchedule(json, recurrence.schedule());
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
    json.writeArrayFieldStart("weekDays");
    for (DayOfWeek day : days) {
      json.writeString(word(day));
    }
    json.writeEndArray();
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

  /** The lower-case word of a constant. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
