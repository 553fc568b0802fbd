package carillon;

import carillon.cli.CalendarsCommand;
import carillon.cli.CollectionsCommand;
import carillon.cli.CompletionCommand;
import carillon.cli.ContextCommand;
import carillon.cli.DestinationsCommand;
import carillon.cli.DueCommand;
import carillon.cli.ExecutionsCommand;
import carillon.cli.ExplainCommand;
import carillon.cli.FlowsCommand;
import carillon.cli.HelpCommand;
import carillon.cli.PauseCommand;
import carillon.cli.PreviewCommand;
import carillon.cli.TailCommand;
import carillon.cli.admin.AuditCommand;
import carillon.cli.admin.ClockCommand;
import carillon.cli.admin.HealthCommand;
import carillon.cli.admin.KeysCommand;
import carillon.cli.admin.NodesCommand;
import carillon.cli.admin.StatusCommand;
import carillon.cli.client.ApiClientOptions;
import carillon.cli.jobs.JobsCommand;
import carillon.cli.local.CheckCommand;
import carillon.cli.local.FsckCommand;
import carillon.cli.local.ManCommand;
import carillon.cli.local.ServeCommand;
import carillon.cli.local.SettingsCommand;
import carillon.cli.local.TrainCommand;
import carillon.cli.output.CommandException;
import carillon.cli.transfer.ExportCommand;
import carillon.cli.transfer.ImportCommand;
import carillon.config.Settings;
import carillon.config.SettingsException;
import carillon.node.Version;
import carillon.text.NearestName;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the program: reads the arguments and runs a command. */
@Command(
    name = "carillon",
    description = {
      "Carillon, a scheduler of HTTP jobs and queue puts. Without a command: serve.",
      "The settings of a node are in conf/carillon.yaml; each can be overridden by an environment"
          + " variable, such as CARILLON_HTTP_PORT. The commands about jobs and nodes speak to a"
          + " running node: --url, before or after the name of the command, or CARILLON_URL."
    },
    synopsisHeading = "usage: ",
    customSynopsis = "java -jar carillon.jar [--conf FILE] [--url URL] [COMMAND]",
    subcommands = {
      ServeCommand.class,
      JobsCommand.class,
      FlowsCommand.class,
      CalendarsCommand.class,
      CollectionsCommand.class,
      ExecutionsCommand.class,
      TailCommand.class,
      DestinationsCommand.class,
      DueCommand.class,
      PauseCommand.Pause.class,
      PauseCommand.Resume.class,
      ClockCommand.class,
      NodesCommand.class,
      StatusCommand.class,
      HealthCommand.class,
      KeysCommand.class,
      AuditCommand.class,
      PreviewCommand.class,
      ExplainCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      FsckCommand.class,
      CheckCommand.class,
      ContextCommand.class,
      TrainCommand.class,
      CompletionCommand.class,
      ManCommand.class,
      HelpCommand.class
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:done",
      "1:refused, or not all of it done",
      "2:wrong arguments or settings",
      "3:no node, or no Redis, can be reached"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  alias carillon='java -jar /opt/carillon/carillon.jar'",
      "  source <(carillon completion bash)         # bash completes it, and zsh likewise",
      "  carillon jobs list --help"
    },
    versionProvider = Main.Versions.class)
public final class Main implements Callable<Integer>, SettingsCommand.Parent {
  /** Exit code for wrong settings or a failed start. */
  static final int FAILED = 1;

  /** Width of help lines, in characters. */
  private static final int WIDTH = 100;

  /** Message of picocli for {@code carillon jobs}, which needs a subcommand. */
  private static final String NO_SUBCOMMAND = "Missing required subcommand";

  /** Commands that take the settings of a node. */
  private static final Set<String> OF_NODES = Set.of("serve", "fsck", "check");

  @Mixin private SettingsCommand.ConfigFile conf;
  @Mixin private ServeCommand.ListenOptions place;
  @Mixin private ApiClientOptions node;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "This text.")
  @SuppressWarnings("UnusedVariable") // picocli needs the field
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "The version.")
  @SuppressWarnings("UnusedVariable")
  private boolean version;

  @Option(names = "--check", description = "The same as the command check.")
  private boolean check;

  public static void main(String[] arguments) {
    int code = commandLine().execute(arguments);
    if (code != ServeCommand.RUNNING) {
      System.exit(code);
    }
  }

  /** Returns the command line with all commands. Output is UTF-8 in any locale, as JSON must be. */
  public static CommandLine commandLine() {
    return commandLine(CommandLine.defaultFactory());
  }

  /**
   * Returns the command line with all commands.
   *
   * @param factory creates the parts of the commands
   */
  public static CommandLine commandLine(CommandLine.IFactory factory) {
    CommandLine line = new CommandLine(new Main(), factory);
    line.getSubcommands().values().forEach(Main::hideConnection);
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        // The content of a file is data, such as a body, and never options of the command.
        .setExpandAtFiles(false)
        .setUsageHelpWidth(WIDTH)
        .setExecutionStrategy(Main::execute)
        .setParameterExceptionHandler(Main::refuse)
        .setExecutionExceptionHandler(Main::fail)
        .setOut(
            new PrintWriter(
                new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8));
  }

  /** Hides the connection options of the commands, because the help of the program shows them. */
  private static void hideConnection(CommandLine command) {
    command.getSubcommands().values().forEach(Main::hideConnection);
    CommandSpec spec = command.getCommandSpec();
    if (spec.qualifiedName().equals("carillon context set")) {
      return; // shows them, because they are its subject
    }
    for (String name : ApiClientOptions.NAMES) {
      OptionSpec option = spec.findOption(name);
      if (option != null) {
        spec.remove(option);
        spec.addOption(OptionSpec.builder(option).hidden(true).build());
      }
    }
    if (spec.findOption("--url") != null) {
      spec.usageMessage()
          .optionListHeading("%nOptions; those of the connection are in carillon --help:%n");
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    Settings settings = conf.settings(conf, place.variables());
    return check ? CheckCommand.check(settings) : ServeCommand.serve(settings);
  }

  @Override
  public SettingsCommand.ConfigFile conf() {
    return conf;
  }

  /** Whether a command, or one of its subcommands, has the options of a connection. */
  static boolean speaksToNode(CommandLine command) {
    return command != null
        && (command.getCommandSpec().findOption(ApiClientOptions.NAMES.get(0)) != null
            || command.getSubcommands().values().stream().anyMatch(Main::speaksToNode));
  }

  /** Executes the command. Refuses options without effect, which would be a trap. */
  private static int execute(ParseResult parsed) {
    CommandLine line = parsed.commandSpec().commandLine();
    String name = parsed.hasSubcommand() ? parsed.subcommand().commandSpec().name() : "serve";
    Main main = (Main) parsed.commandSpec().userObject();
    if (main.node.isGiven() && !speaksToNode(line.getSubcommands().get(name))) {
      throw new ParameterException(
          line,
          String.join(", ", ApiClientOptions.NAMES) + ": " + name + " speaks to no running node");
    }
    if (parsed.hasSubcommand()) {
      if (main.conf.isGiven() && !OF_NODES.contains(name)) {
        throw new ParameterException(line, "--conf: " + name + " takes no settings of a node");
      }
      if (main.place.isGiven()) {
        throw new ParameterException(
            line, "--port, --data: they stand after serve, or without a command");
      }
    }
    int code = new RunLast().execute(parsed);
    line.getOut().flush();
    return code;
  }

  /** Prints the refusal in one line, because most mistakes need only one. */
  private static int refuse(ParameterException refusal, String[] arguments) {
    refusal
        .getCommandLine()
        .getErr()
        .println("carillon: " + message(refusal).replaceAll("[\\r\\n]+", " ") + "; see --help");
    return CommandLine.ExitCode.USAGE;
  }

  /** Returns the message, with the similar option or command that was probably meant. */
  private static String message(ParameterException refusal) {
    if (refusal.getMessage().equals(NO_SUBCOMMAND)) {
      return refusal.getCommandLine().getCommandName() + ": a command is missing";
    }
    if (!(refusal instanceof UnmatchedArgumentException unmatched)) {
      return refusal.getMessage().replaceFirst("' is not an? (?:int|Integer)$", "' is no number");
    }
    CommandLine command = unmatched.getCommandLine();
    String word = unmatched.getUnmatched().get(0).split("=", 2)[0];
    boolean isOption = word.startsWith("-");
    CommandSpec spec = command.getCommandSpec();
    String place = spec.parent() == null ? "" : "in '" + spec.qualifiedName() + "' ";
    if (!isOption && command.getSubcommands().isEmpty()) {
      return "'" + spec.qualifiedName() + "' takes no '" + word + "'";
    }
    List<String> known =
        isOption
            ? spec.options().stream().flatMap(option -> Stream.of(option.names())).toList()
            : List.copyOf(command.getSubcommands().keySet());
    return place
        + "there is no "
        + (isOption ? "option" : "command")
        + " '"
        + word
        + "'"
        + Optional.of("--" + word)
            .filter(option -> !isOption && spec.findOption(option) != null)
            .or(() -> NearestName.of(word, known))
            .map(near -> "; did you mean '" + near + "'?")
            .orElse("");
  }

  private static int fail(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    command.getOut().flush();
    if (failure instanceof SettingsException wrong) {
      wrong.problems().forEach(problem -> command.getErr().println("carillon: " + problem));
      return command.getCommandSpec().exitCodeOnExecutionException();
    }
    if (failure instanceof CommandException known) {
      command.getErr().println("carillon: " + known.getMessage());
      return known.exitCode();
    }
    throw failure;
  }

  /** Provider of the text for {@code --version}. */
  static final class Versions implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"Carillon " + Version.current()};
    }
  }
}
