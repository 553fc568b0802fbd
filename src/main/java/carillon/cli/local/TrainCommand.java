package carillon.cli.local;

import carillon.cli.output.TextTable;
import carillon.node.TrainingRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code train}: gives the JVM a load to learn from, for the AOT cache of JDK 25. */
@Command(
    name = "train",
    description = {
      "Runs a load that the JVM learns from, so that it writes an AOT cache (JDK 25 or newer).",
      "A node that starts with the cache is fast from the first second. The load uses a temporary"
          + " Redis and target on this machine, and leaves only the cache."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  java -XX:+UseSerialGC -XX:AOTCacheOutput=carillon.aot -jar carillon.jar train",
      "  java -XX:+UseSerialGC -XX:AOTCache=carillon.aot -jar carillon.jar"
    })
public final class TrainCommand implements Callable<Integer> {
  private static final String OUTPUT = "-XX:AOTCacheOutput=";
  private static final int MAX_SECONDS = 600;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "15",
      description = "How long the load lasts, 1 to 600. Default: 15.")
  private int seconds;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      return fail(ExitCode.USAGE, "--seconds must be 1 to " + MAX_SECONDS + ", was " + seconds);
    }
    if (!isCacheWritten()) {
      return fail(
          ExitCode.USAGE,
          "train needs JDK 25 or newer and its option " + OUTPUT + "FILE before -jar; see --help");
    }
    SettingsCommand.silenceLog();
    try {
      show(TrainingRun.run(Duration.ofSeconds(seconds)));
      return ExitCode.OK;
    } catch (ExecutionException e) {
      return fail(ExitCode.SOFTWARE, String.valueOf(e.getCause().getMessage()));
    } catch (IOException e) {
      return fail(ExitCode.SOFTWARE, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isCacheWritten() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(argument -> argument.startsWith(OUTPUT));
  }

  private void show(TrainingRun.TrainingResult result) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        String.format(
            Locale.ROOT,
            "trained with %s and %s; Java now writes the cache",
            TextTable.counted(result.accepted(), "job"),
            TextTable.counted(result.called(), "call")));
    out.flush();
  }

  private int fail(int code, String reason) {
    spec.commandLine().getErr().println("carillon: " + reason);
    return code;
  }
}
