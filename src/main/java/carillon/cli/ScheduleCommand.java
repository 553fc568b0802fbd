package carillon.cli;

import carillon.cli.client.InputFile;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import carillon.job.name.JobException;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command about a schedule, which it takes from a document, from options or from both. */
abstract class ScheduleCommand implements Runnable {
  /** Limits far above those of any node: only the schedule matters. */
  static final SubmissionLimits LIMITS =
      new SubmissionLimits(
          1 << 24,
          1 << 16,
          1000,
          1 << 20,
          1 << 24,
          Duration.ofDays(36_600),
          Duration.ofMillis(1),
          Duration.ofHours(1));

  @Mixin Output output;
  @Mixin private ScheduleOptions schedule;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE|EXPRESSION",
      description =
          "A document with startTime, timeZone, dst, recurrence and jitter; -: standard input."
              + " Text that has blanks, or begins with @, is a cron expression unless it names a"
              + " file.")
  private String file;

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description = "Assumed time of submission. Default: now.")
  private String now;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "Maximum number of occurrences, 1 to 1000. Default: 10.")
  private int limit;

  @Override
  public void run() {
    ObjectNode question = Json.MAPPER.createObjectNode();
    if (isExpression()) {
      question.withObject("/recurrence").put("cron", file);
    } else {
      document().map(ScheduleCommand::job).ifPresent(job -> take(job, question));
    }
    schedule.addTo(question);
    if (question.isEmpty()) {
      throw CommandException.usage(
          "give a FILE, a cron expression, --frequency, --cron or --rrule; --help has examples");
    }
    Optional.ofNullable(now).ifPresent(time -> question.put("now", time));
    question.put("top", limit);
    addTo(question);
    show(asked(question));
  }

  /** Adds the fields of this command. */
  void addTo(ObjectNode question) {
    // Nothing more.
  }

  private boolean isExpression() {
    return file != null
        && (file.contains(" ") || file.startsWith("@"))
        && !Files.exists(Path.of(file));
  }

  private Optional<JsonNode> document() {
    return Optional.ofNullable(file)
        .map(
            name -> {
              try {
                return Json.MAPPER.readTree(new InputFile(name).read());
              } catch (IOException e) {
                throw CommandException.usage("this is not JSON: " + name);
              }
            });
  }

  /** Returns the job, also from the envelope of Resource Manager. */
  private static JsonNode job(JsonNode document) {
    return document.path("properties").isObject() ? document.get("properties") : document;
  }

  /** Takes from a job what the answer depends on. */
  void take(JsonNode job, ObjectNode question) {
    for (String name : List.of("startTime", "timeZone", "dst", "recurrence", "jitter")) {
      if (job.hasNonNull(name)) {
        question.set(name, job.get(name));
      }
    }
    if (question.isEmpty()) {
      throw CommandException.usage("the document has neither startTime nor recurrence");
    }
  }

  private JsonNode asked(ObjectNode question) {
    try {
      byte[] document = Json.MAPPER.writeValueAsBytes(question);
      return Json.MAPPER.readTree(answer(document, InstantSource.system().instant()));
    } catch (JobException e) {
      throw CommandException.refused(e.getMessage());
    } catch (IOException e) {
      throw new IllegalStateException("a document of this program cannot be read", e);
    }
  }

  /** The answer of the API to a document. */
  abstract byte[] answer(byte[] document, Instant now);

  /** Shows an answer. */
  abstract void show(JsonNode answer);

  /** Options of a schedule. Its rules are those of the API, which checks every value. */
  static final class ScheduleOptions {
    @Option(names = "--start", paramLabel = "TIME", description = "startTime.")
    private String start;

    @Option(
        names = {"--tz", "--timezone"},
        paramLabel = "ZONE",
        description = "timeZone: Europe/Berlin, +05:30, W. Europe Standard Time. Default: UTC.")
    private String timeZone;

    @Option(
        names = "--frequency",
        paramLabel = "WORD",
        description = "second, minute, hour, day, week, month or year.")
    private String frequency;

    @Option(
        names = "--cron",
        paramLabel = "EXPRESSION",
        description = "A cron expression, instead of --frequency and what follows it.")
    private String cron;

    @Option(names = "--cron-dialect", paramLabel = "WORD", description = "unix, quartz or aws.")
    private String cronDialect;

    @Option(
        names = "--rrule",
        paramLabel = "RULE",
        description = "A line of iCalendar, FREQ=DAILY or DTSTART:..., instead; more than once.")
    private List<String> rules;

    @Option(
        names = "--job",
        paramLabel = JobAddress.LABEL,
        converter = JobAddress.Converter.class,
        description = "The job that H of a cron expression is for.")
    private JobAddress job;

    @Option(
        names = "--interval",
        paramLabel = "N",
        description = "Number of units between occurrences. Default: 1.")
    private Integer interval;

    @Option(names = "--count", paramLabel = "N", description = "Maximum number of occurrences.")
    private Integer count;

    @Option(names = "--end", paramLabel = "TIME", description = "endTime.")
    private String end;

    @Option(names = "--minutes", split = ",", paramLabel = "N", description = "0 to 59.")
    private List<Integer> minutes;

    @Option(names = "--hours", split = ",", paramLabel = "N", description = "0 to 23.")
    private List<Integer> hours;

    @Option(
        names = "--weekdays",
        split = ",",
        paramLabel = "DAY",
        description = "monday to sunday.")
    private List<String> weekDays;

    @Option(
        names = "--monthdays",
        split = ",",
        paramLabel = "N",
        description = "1 to 31; -1 is the last day.")
    private List<Integer> monthDays;

    @Option(names = "--months", split = ",", paramLabel = "N", description = "1 to 12.")
    private List<Integer> months;

    /** Adds the options of the command line to a document with startTime and recurrence. */
    void addTo(ObjectNode document) {
      put(document, "startTime", start);
      put(document, "timeZone", timeZone);
      put(document, "job", job == null ? null : job.fullName());
      if (isRecurring()) {
        addRecurrence(document.withObject("/recurrence"));
      }
    }

    private boolean isRecurring() {
      return frequency != null
          || cron != null
          || cronDialect != null
          || rules != null
          || interval != null
          || count != null
          || end != null
          || hasSchedule();
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
      put(recurrence, "cron", cron);
      put(recurrence, "cronDialect", cronDialect);
      put(recurrence, "rrule", rules);
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
}
