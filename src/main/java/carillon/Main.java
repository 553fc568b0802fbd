package carillon;

import carillon.config.Settings;
import carillon.config.SettingsException;
import carillon.config.SettingsLoader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line: reads arguments and settings, and hands over to a command. Nothing else. */
@Command(
    name = "carillon",
    description = {
      "Carillon, a scheduler of HTTP jobs and queue puts. Without a command: serve.",
      "Settings stand in conf/carillon.yaml; each can be overridden by an environment variable,"
          + " such as CARILLON_HTTP_PORT."
    },
    synopsisHeading = "usage: ",
    customSynopsis = "java -jar carillon.jar [--conf FILE] [COMMAND]",
    subcommands = {ServeCommand.class, FsckCommand.class, CheckCommand.class},
    versionProvider = Main.Versions.class)
public final class Main implements Callable<Integer> {
  /** Wrong settings, or a start that failed. */
  static final int FAILED = 1;

  /** Returned by a command that goes on after it has returned. */
  static final int RUNNING = -1;

  @Option(
      names = "--conf",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "A file with settings.")
  private String conf;

  @Option(names = "--help", usageHelp = true, scope = ScopeType.INHERIT, description = "This text.")
  @SuppressWarnings("UnusedVariable") // picocli asks for a place
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "The version.")
  @SuppressWarnings("UnusedVariable")
  private boolean version;

  @Option(names = "--check", description = "The same as the command check.")
  private boolean check;

  public static void main(String[] arguments) {
    int code =
        new CommandLine(new Main())
            .setParameterExceptionHandler(Main::refuse)
            .setExecutionExceptionHandler(Main::fail)
            .execute(arguments);
    if (code != RUNNING) {
      System.exit(code);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    return check ? CheckCommand.check(this) : ServeCommand.serve(this);
  }

  /** The settings of the arguments and the environment. */
  Settings settings() {
    return SettingsLoader.load(
        Optional.ofNullable(conf).map(file -> List.of("--conf", file)).orElse(List.of()),
        System.getenv());
  }

  /** One line, since most mistakes are one. */
  private static int refuse(ParameterException refusal, String[] arguments) {
    System.err.println("carillon: " + refusal.getMessage() + "; --help tells what there is");
    return CommandLine.ExitCode.USAGE;
  }

  private static int fail(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (failure instanceof SettingsException wrong) {
      wrong.problems().forEach(problem -> System.err.println("carillon: " + problem));
      return command.getCommandSpec().exitCodeOnExecutionException();
    }
    throw failure;
  }

  /** What {@code --version} says. */
  static final class Versions implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"Carillon " + Version.current()};
    }
  }
}
