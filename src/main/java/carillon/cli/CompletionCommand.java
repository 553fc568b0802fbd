package carillon.cli;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.JobAddress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code completion}: writes a completion script for bash or zsh. */
@Command(
    name = "completion",
    aliases = "generate-completion",
    description = {
      "Writes the script with which bash or zsh completes commands and options.",
      "It asks the node for the names of jobs, collections, flows and calendars."
    },
    subcommands = CompletionCommand.Names.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(carillon completion bash)         # in ~/.bashrc",
      "  source <(carillon completion zsh)          # in ~/.zshrc",
      "  carillon completion bash > /etc/bash_completion.d/carillon"
    })
public final class CompletionCommand implements Runnable {
  /** Shells of the script. Both use the same script, which detects its shell when it runs. */
  enum Shell {
    bash,
    zsh
  }

  /**
   * Names where commands and options end. The program is evaluated, as it may be an alias; so it
   * must be a plain path. zsh takes a letter after the colon for a modifier, hence the sign.
   */
  private static final String WITH_NAMES =
      """

      # Where no command or option comes next, the node is asked for names.
      function _carillon_with_names() {
        _complete_carillon "$@"
        local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} IFS=$'\\n'
        [[ ${#COMPREPLY[@]} -eq 0 && $word != -* && $program =~ ^[A-Za-z0-9_./~-]+$ ]] || return 0
        COMPREPLY=( $(eval "$program completion names -- \\"\\${COMP_WORDS[@]:1:\\$COMP_CWORD}\\"" 2>/dev/null </dev/null) )
        [[ ${COMPREPLY[0]-} != */ ]] || { type compopt &>/dev/null && compopt -o nospace; }
      }
      complete -F _carillon_with_names -o default carillon carillon.sh carillon.bash
      """;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "${COMPLETION-CANDIDATES}. Default: bash.")
  @SuppressWarnings("UnusedVariable") // checks the shell; the script is the same for all
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine()
        .getOut()
        .println(AutoComplete.bash(spec.root().name(), spec.root().commandLine()) + WITH_NAMES);
  }

  /**
   * Command {@code completion names}, for use by the script: writes the possible completions of a
   * word. It is always silent and quick, even after a failure.
   */
  @Command(
      name = "names",
      hidden = true,
      description = "Writes the names that the last word can become.",
      footerHeading = "%nExamples:%n",
      footer = "  carillon completion names -- jobs get nig")
  static final class Names implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final String MOST = "100";

    /** Options of the connection that other commands have, too. */
    private static final List<String> OF_GROUPS = List.of("--subscription", "--group");

    @Parameters(arity = "1..*", paramLabel = "WORD", description = "The command as typed so far.")
    private List<String> words;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
      PrintWriter out = spec.commandLine().getOut();
      List<String> found = new CopyOnWriteArrayList<>();
      Thread asking = new Thread(() -> find(found), "names");
      asking.setDaemon(true);
      asking.setUncaughtExceptionHandler((thread, failure) -> {});
      asking.start();
      try {
        asking.join(PATIENCE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      found.forEach(out::println);
      out.flush(); // the program only flushes its current output
    }

    private void find(List<String> found) {
      String word = words.get(words.size() - 1);
      Typed typed = Typed.of(spec.root(), words.subList(0, words.size() - 1));
      switch (typed.label) {
        case JobAddress.LABEL -> jobs(typed, word, found);
        case "COLLECTION" -> found.addAll(ask(typed, word, "collections", "list"));
        case "FLOW" -> found.addAll(ask(typed, word, "flows", "list"));
        case "CALENDAR" -> found.addAll(ask(typed, word, "calendars", "list"));
        case "CONTEXT" -> found.addAll(ask(typed, word, "context", "list"));
        default -> {
          // names of this kind are known to the user alone
        }
      }
    }

    /**
     * Adds jobs of the collection in the word. Without one, adds collections and jobs of the
     * default one.
     */
    private void jobs(Typed typed, String word, List<String> found) {
      int slash = word.indexOf('/');
      String collection = slash < 0 ? JobAddress.DEFAULT : word.substring(0, slash);
      String part = word.substring(slash + 1);
      List<String> search =
          new ArrayList<>(List.of("jobs", "search", "--limit", MOST, "--collection", collection));
      if (!part.isEmpty()) {
        search.add(part);
      }
      String before = word.substring(0, slash + 1);
      ask(typed, part, search.toArray(String[]::new)).forEach(job -> found.add(before + job));
      if (slash < 0) {
        ask(typed, word, "collections", "list").forEach(name -> found.add(name + "/"));
      }
    }

    /** Returns the names of a command's list that begin with the word. */
    private List<String> ask(Typed typed, String word, String... command) {
      List<String> all = new ArrayList<>(List.of(command));
      all.addAll(List.of("-o", "name"));
      all.addAll(typed.connection);
      StringWriter named = new StringWriter();
      CommandLine program = spec.root().commandLine();
      program.setOut(new PrintWriter(named)).setErr(new PrintWriter(new StringWriter()));
      program.execute(all.toArray(String[]::new));
      return named
          .toString()
          .lines()
          .filter(name -> name.regionMatches(true, 0, word, 0, word.length()))
          .toList();
    }

    /**
     * Arguments before the word to complete.
     *
     * @param label of the parameter that the word is for; empty text for none
     * @param connection the options for the node and the group
     */
    private record Typed(String label, List<String> connection) {
      static Typed of(CommandSpec program, List<String> before) {
        CommandSpec command = program;
        List<String> connection = new ArrayList<>();
        int parameters = 0;
        for (int i = 0; i < before.size(); i++) {
          String word = before.get(i);
          if (!word.startsWith("-")) {
            CommandLine next = command.subcommands().get(word);
            command = next == null ? command : next.getCommandSpec();
            parameters += next == null ? 1 : 0;
            continue;
          }
          boolean isWhole = word.contains("=");
          Optional<OptionSpec> option =
              Optional.ofNullable(command.findOption(word.split("=", 2)[0]));
          boolean isFollowed = !isWhole && option.filter(one -> one.arity().max() > 0).isPresent();
          if (isFollowed && i + 1 == before.size()) {
            return new Typed(label(option.get()), connection);
          }
          List<String> said = before.subList(i, isFollowed ? i + 2 : i + 1);
          i += said.size() - 1;
          option.filter(Typed::isOfConnection).ifPresent(one -> connection.addAll(said));
        }
        int at = parameters;
        return new Typed(
            command.positionalParameters().stream()
                .filter(parameter -> parameter.index().contains(at))
                .findFirst()
                .map(PositionalParamSpec::paramLabel)
                .orElse(""),
            connection);
      }

      private static String label(OptionSpec option) {
        return option.longestName().equals("--context") ? "CONTEXT" : option.paramLabel();
      }

      private static boolean isOfConnection(OptionSpec option) {
        return Stream.concat(ApiClientOptions.NAMES.stream(), OF_GROUPS.stream())
            .anyMatch(option.longestName()::equals);
      }
    }
  }
}
