package carillon.cli.client;

import carillon.cli.output.CommandException;
import carillon.cli.output.Output;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Options of a list that is requested repeatedly. On a terminal it is redrawn; elsewhere new and
 * changed lines are appended.
 */
public final class WatchOptions {
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration LEAST_PAUSE = Duration.ofMillis(100);

  @Option(
      names = {"-w", "--watch"},
      description =
          "Repeats the request until it is interrupted: redraws a terminal, elsewhere prints new"
              + " and changed lines.")
  private boolean isWatched;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      description = "Interval of --watch. Default: 2s.")
  private String interval;

  /** Shows a list, once or until the thread is interrupted or nobody reads any more. */
  public void show(Output output, Runnable list) {
    if (!isWatched) {
      if (interval != null) {
        throw CommandException.usage("--interval goes with --watch");
      }
      list.run();
      return;
    }
    Duration pause = pause();
    Optional<CommandException> failure = Optional.empty();
    for (boolean isFirst = true; ; isFirst = false) {
      output.beginRound(pause);
      Optional<CommandException> before = failure;
      failure = run(list, isFirst);
      if (Thread.interrupted()) {
        return;
      }
      output.endRound(failure.map(CommandException::getMessage), before.isEmpty());
      if (!output.isOpen() || !sleep(pause)) {
        return;
      }
    }
  }

  /** Prints the list once. An unreachable node ends the watch only on the first try. */
  private static Optional<CommandException> run(Runnable list, boolean isFirst) {
    try {
      list.run();
      return Optional.empty();
    } catch (CommandException e) {
      if (Thread.currentThread().isInterrupted()) {
        return Optional.empty();
      }
      if (isFirst || e.exitCode() != CommandException.UNREACHABLE) {
        throw e;
      }
      return Optional.of(e);
    }
  }

  private Duration pause() {
    if (interval == null) {
      return PAUSE;
    }
    Duration pause = DurationOption.read("--interval", interval);
    if (pause.compareTo(LEAST_PAUSE) < 0) {
      throw CommandException.usage("--interval must be 100ms at least, was '" + interval + "'");
    }
    return pause;
  }

  /** False if the thread was interrupted, which ends the watch. */
  private static boolean sleep(Duration pause) {
    try {
      Thread.sleep(pause.toMillis());
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
