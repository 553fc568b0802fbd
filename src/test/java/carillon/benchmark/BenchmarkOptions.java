package carillon.benchmark;

import carillon.load.Program;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Options for the measured scheduler, the phases and their duration. Set by picocli before any
 * measurement.
 */
final class BenchmarkOptions {
  private static final String SHORT = "--short";
  private static final String COMPARE = "--compare";

  /** Defaults of a short run. */
  private static final Map<String, String> OF_SHORT_RUN =
      Map.of(
          "--only", "steady,now,herd,memory,accept,cost",
          "--connections", "16",
          "--warmup", "1",
          "--accept-seconds", "1",
          "--herd", "300",
          "--rate", "100",
          "--seconds", "1",
          "--now-rate", "20",
          "--now-seconds", "1",
          "--memory-jobs", "300");

  /** Defaults of a comparison. In a short comparison, they override the defaults of a short run. */
  private static final Map<String, String> OF_COMPARISON =
      Map.of("--only", "accept,herd,steady,now", "--now-rate", "200");

  @Option(
      names = "--url",
      paramLabel = "URL",
      converter = Url.class,
      description =
          "a running scheduler on this machine (it calls back to 127.0.0.1); default: one is started")
  Optional<URI> url = Optional.empty();

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description =
          "the Redis of that scheduler, or the one to give to it; default: its embedded one")
  Optional<URI> redis = Optional.empty();

  @Option(
      names = "--only",
      paramLabel = "PHASES",
      split = ",",
      hideParamSyntax = true,
      defaultValue = "steady,now,herd,memory,accept",
      description = "comma-separated: ${COMPLETION-CANDIDATES}; default: all but cost")
  Set<Phase> only;

  @Option(
      names = "--connections",
      paramLabel = "64",
      defaultValue = "64",
      description = "of the load, each with one request at a time")
  int connections;

  @Option(
      names = "--warmup",
      paramLabel = "20",
      defaultValue = "20",
      description =
          "seconds before anything counts; the first phase goes on until the compilers are quiet")
  int warmup;

  @Option(
      names = "--accept-seconds",
      paramLabel = "10",
      defaultValue = "10",
      description = "how long accepting is measured, in turn with the bare server")
  int acceptSeconds;

  @Option(
      names = "--herd",
      paramLabel = "10000",
      defaultValue = "10000",
      description = "jobs due at one instant; of each kind in phase cost")
  int herd;

  @Option(
      names = "--rate",
      paramLabel = "1000",
      defaultValue = "1000",
      description = "jobs due per second, steadily")
  int rate;

  @Option(names = "--seconds", paramLabel = "20", defaultValue = "20", description = "for how long")
  int seconds;

  @Option(
      names = "--now-rate",
      paramLabel = "50",
      defaultValue = "50",
      description = "jobs without startTime per second")
  int nowRate;

  @Option(
      names = "--now-seconds",
      paramLabel = "10",
      defaultValue = "10",
      description = "for how long")
  int nowSeconds;

  @Option(
      names = "--memory-jobs",
      paramLabel = "100000",
      defaultValue = "100000",
      description = "jobs stored to measure memory")
  int memoryJobs;

  @Option(
      names = "--ceilings",
      paramLabel = "true",
      arity = "1",
      description = "false: do not measure the bare programs")
  private Boolean ceilings;

  @Option(names = "--json", paramLabel = "FILE", description = "write the result there as well")
  Optional<Path> json = Optional.empty();

  @Option(
      names = SHORT,
      description = "a smoke test of a few seconds: every job is called once, speed is not judged")
  private boolean isShort;

  @ArgGroup(exclusive = false, heading = "%nBeside other schedulers:%n")
  Comparison.Options comparison; // null without --compare

  /** Returns a command line that reads these options. The defaults depend on the kind of run. */
  static CommandLine commandLine(Object command, String... arguments) {
    Map<String, String> defaults = new HashMap<>();
    if (List.of(arguments).contains(SHORT)) {
      defaults.putAll(OF_SHORT_RUN);
    }
    if (List.of(arguments).contains(COMPARE)) {
      defaults.putAll(OF_COMPARISON);
    }
    return Program.commandLine(command)
        .registerConverter(int.class, BenchmarkOptions::count)
        .setDefaultValueProvider(
            option ->
                option instanceof CommandLine.Model.OptionSpec named
                    ? defaults.get(named.longestName())
                    : null);
  }

  /** Returns the number of seconds by which a job is submitted before it is due. */
  int lead() {
    return isShort ? 1 : 5;
  }

  /** Whether the bare programs are measured as well. */
  boolean ceilings() {
    return ceilings != null ? ceilings : !isShort;
  }

  /** Whether speed and size are compared with the goals of the project. */
  boolean judged() {
    return !isShort;
  }

  private static int count(String text) {
    int value = text.matches("[0-9]{1,8}") ? Integer.parseInt(text) : 0;
    if (value < 1) {
      throw new TypeConversionException(
          "must be a whole number from 1 to 99999999, was '" + text + "'");
    }
    return value;
  }

  /** Address of a scheduler. */
  private static final class Url implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      URI url = URI.create(text);
      if (!"http".equals(url.getScheme()) || url.getHost() == null || url.getPort() < 0) {
        throw new TypeConversionException("must be http://HOST:PORT, was '" + text + "'");
      }
      return url;
    }
  }
}
