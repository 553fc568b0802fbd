package carillon.cli.jobs;

import carillon.cli.client.DurationOption;
import carillon.cli.output.CommandException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of when a job runs: once, at a time, or again and again. */
final class TimingOptions {
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  @Option(
      names = "--in",
      paramLabel = "DURATION",
      description = "Time from now to the first run: 10s, 5m, 1h30m, 2d.")
  private String in;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Time of the first run: 2030-01-02T08:00:00Z; local with --tz.")
  private String at;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      description = "The time between two runs: 30s, 5m, 1d.")
  private String every;

  @Option(names = "--cron", paramLabel = "EXPRESSION", description = "A cron expression.")
  private String cron;

  @Option(
      names = {"--tz", "--timezone"},
      paramLabel = "ZONE",
      description = "The time zone of --cron, --every and --at: Europe/Berlin. Default: UTC.")
  private String zone;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Maximum number of runs, with --every or --cron. Default: no limit.")
  private Integer count;

  /** Adds the start, and the time zone. */
  void addStart(ObjectNode job) {
    check();
    if (in != null) {
      job.put("in", DurationOption.read("--in", in).toString()); // counted by the node's clock
    } else if (at != null) {
      job.put("startTime", at);
    }
    if (zone != null) {
      job.put("timeZone", zone);
    }
  }

  private void check() {
    refuse(in != null && at != null, "give one of --in and --at");
    refuse(every != null && cron != null, "give one of --every and --cron");
    refuse(
        zone != null && at == null && every == null && cron == null,
        "--tz goes with --cron, --every or --at");
    refuse(count != null && every == null && cron == null, "--count goes with --every or --cron");
  }

  private static void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw CommandException.usage(message);
    }
  }

  /** Adds the recurrence; nothing for a job that runs once. */
  void addRecurrence(ObjectNode job) {
    if (cron != null) {
      job.putObject("recurrence").put("cron", cron);
    } else if (every != null) {
      addEvery(job.putObject("recurrence"));
    } else {
      return;
    }
    if (count != null) {
      job.withObject("/recurrence").put("count", count);
    }
  }

  /** Adds the interval in the largest unit that is exact. */
  private void addEvery(ObjectNode recurrence) {
    Duration distance = DurationOption.read("--every", every);
    long seconds = distance.toSeconds();
    refuse(seconds < 1 || distance.toNanosPart() > 0, "--every must be whole seconds, 1s at least");
    if (seconds % DAY == 0) {
      put(recurrence, "day", seconds / DAY);
    } else if (seconds % HOUR == 0) {
      put(recurrence, "hour", seconds / HOUR);
    } else if (seconds % MINUTE == 0) {
      put(recurrence, "minute", seconds / MINUTE);
    } else {
      put(recurrence, "second", seconds);
    }
  }

  private static void put(ObjectNode recurrence, String frequency, long interval) {
    recurrence.put("frequency", frequency).put("interval", interval);
  }
}
