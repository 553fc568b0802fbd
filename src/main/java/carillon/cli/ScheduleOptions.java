package carillon.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import picocli.CommandLine.Option;

/** A schedule as it is typed. Its rules are those of the API, which looks at every value. */
final class ScheduleOptions {
  @Option(names = "--start", paramLabel = "TIME", description = "startTime.")
  private String start;

  @Option(
      names = "--frequency",
      paramLabel = "WORD",
      description = "second, minute, hour, day, week, month or year.")
  private String frequency;

  @Option(names = "--interval", paramLabel = "N", description = "Every so many. Default: 1.")
  private Integer interval;

  @Option(names = "--count", paramLabel = "N", description = "So many occurrences.")
  private Integer count;

  @Option(names = "--end", paramLabel = "TIME", description = "endTime.")
  private String end;

  @Option(names = "--minutes", split = ",", paramLabel = "N", description = "0 to 59.")
  private List<Integer> minutes;

  @Option(names = "--hours", split = ",", paramLabel = "N", description = "0 to 23, UTC.")
  private List<Integer> hours;

  @Option(names = "--weekdays", split = ",", paramLabel = "DAY", description = "monday to sunday.")
  private List<String> weekDays;

  @Option(
      names = "--monthdays",
      split = ",",
      paramLabel = "N",
      description = "1 to 31; -1 is the last day.")
  private List<Integer> monthDays;

  @Option(names = "--months", split = ",", paramLabel = "N", description = "1 to 12.")
  private List<Integer> months;

  /** Adds what was typed to a document with startTime and recurrence. */
  void addTo(ObjectNode document) {
    put(document, "startTime", start);
    boolean isRecurring =
        frequency != null || interval != null || count != null || end != null || hasSchedule();
    if (isRecurring) {
      addRecurrence(document.withObject("/recurrence"));
    }
  }

  private boolean hasSchedule() {
    return minutes != null
        || hours != null
        || weekDays != null
        || monthDays != null
        || months != null;
  }

  private void addRecurrence(ObjectNode recurrence) {
    put(recurrence, "frequency", frequency);
    put(recurrence, "interval", interval);
    put(recurrence, "count", count);
    put(recurrence, "endTime", end);
    if (hasSchedule()) {
      ObjectNode schedule = recurrence.withObject("/schedule");
      put(schedule, "minutes", minutes);
      put(schedule, "hours", hours);
      put(schedule, "weekDays", weekDays);
      put(schedule, "monthDays", monthDays);
      put(schedule, "months", months);
    }
  }

  private static void put(ObjectNode object, String name, Object value) {
    if (value != null) {
      object.set(name, Json.MAPPER.valueToTree(value));
    }
  }
}
