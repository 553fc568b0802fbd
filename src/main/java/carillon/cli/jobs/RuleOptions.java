package carillon.cli.jobs;

import carillon.cli.client.DurationOption;
import carillon.cli.output.CommandException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of how the occurrences of a job keep to each other, to the clock and to calendars. */
final class RuleOptions {
  /** Rule for an occurrence while another execution of the job is under way. */
  enum OverlapRule {
    allowAll,
    skip,
    bufferOne,
    bufferAll
  }

  /** Rule for an occurrence at an excluded time. */
  enum ExclusionChoice {
    skip,
    after,
    nextDay,
    previousDay
  }

  /** Unit for which a jitter is drawn. */
  enum JitterPer {
    job,
    occurrence
  }

  /** Which missed occurrences run. */
  enum MissedChoice {
    latest,
    none,
    all
  }

  @Option(
      names = "--overlap",
      paramLabel = "WORD",
      description =
          "Rule for an occurrence while another execution is under way: ${COMPLETION-CANDIDATES}."
              + " Default: allowAll.")
  private OverlapRule overlap;

  @Option(
      names = "--buffer-max",
      paramLabel = "N",
      description = "Maximum number of waiting occurrences with --overlap bufferAll. Default: 10.")
  private Integer bufferMax;

  @Option(
      names = "--exclude",
      split = ",",
      paramLabel = "CALENDAR",
      description = "Does not run at times of this calendar; more than once.")
  private List<String> excluded;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "CALENDAR",
      description = "Runs only at times of this calendar; more than once.")
  private List<String> only;

  @Option(
      names = "--on-excluded",
      paramLabel = "WORD",
      description =
          "Rule for an occurrence at an excluded time: ${COMPLETION-CANDIDATES}. Default: skip.")
  private ExclusionChoice onExcluded;

  @Option(
      names = "--jitter",
      paramLabel = "DURATION",
      description = "Maximum random delay after the instant of the schedule.")
  private String jitter;

  @Option(
      names = "--jitter-per",
      paramLabel = "WORD",
      description =
          "Whether each job or each occurrence has a new delay: ${COMPLETION-CANDIDATES}. Default:"
              + " occurrence.")
  private JitterPer jitterPer;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "Priority among calls that wait for a flow, -10 to 10. Default: 0.")
  private Integer priority;

  @Option(
      names = "--start-within",
      paramLabel = "DURATION",
      description = "Skips an occurrence that cannot begin within this time after its instant.")
  private String startWithin;

  @Option(
      names = "--missed",
      paramLabel = "WORD",
      description = "Which missed occurrences run: ${COMPLETION-CANDIDATES}. Default: latest.")
  private MissedChoice missed;

  @Option(
      names = "--pause-after-failures",
      paramLabel = "N",
      description = "Disables the job after this number of failed executions in a row.")
  private Integer pauseAfterFailures;

  /** Adds the options of the command line. */
  void addTo(ObjectNode job) {
    if (onExcluded != null && excluded == null && only == null) {
      throw CommandException.usage("--on-excluded goes with --exclude or --only");
    }
    if (bufferMax != null && overlap != OverlapRule.bufferAll) {
      throw CommandException.usage("--buffer-max goes with --overlap bufferAll");
    }
    if (jitterPer != null && jitter == null) {
      throw CommandException.usage("--jitter-per goes with --jitter");
    }
    put(job, "overlap", overlap);
    put(job, "bufferMax", bufferMax);
    addCalendars(job);
    if (jitter != null) {
      ObjectNode spread = job.putObject("jitter");
      spread.put("upTo", DurationOption.read("--jitter", jitter).toString());
      put(spread, "per", jitterPer);
    }
    put(job, "priority", priority);
    if (startWithin != null) {
      job.put("startWithin", DurationOption.read("--start-within", startWithin).toString());
    }
    if (missed != null) {
      job.putObject("missed").put("run", missed.name());
    }
    put(job, "pauseAfterFailures", pauseAfterFailures);
  }

  private void addCalendars(ObjectNode job) {
    if (excluded == null && only == null) {
      return;
    }
    ObjectNode calendars = job.putObject("calendars");
    add(calendars, "exclude", excluded);
    add(calendars, "only", only);
    put(calendars, "onExcluded", onExcluded);
  }

  private static void add(ObjectNode calendars, String field, List<String> names) {
    if (names != null) {
      ArrayNode all = calendars.putArray(field);
      names.forEach(all::add);
    }
  }

  private static void put(ObjectNode object, String field, Enum<?> word) {
    if (word != null) {
      object.put(field, word.name());
    }
  }

  private static void put(ObjectNode object, String field, Integer number) {
    if (number != null) {
      object.put(field, number);
    }
  }
}
