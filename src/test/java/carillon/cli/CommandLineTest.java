package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.Main;
import carillon.cli.CarillonCommands.Run;
import carillon.support.Ports;
import carillon.support.TestCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Test of rules for every command: help, wrong words, unreachable nodes. */
class CommandLineTest {
  @TempDir Path dir;

  private static List<CommandLine> commands(CommandLine line) {
    List<CommandLine> all = new ArrayList<>(List.of(line));
    line.getSubcommands().values().forEach(sub -> all.addAll(commands(sub)));
    return all;
  }

  @Test
  void theHelpOfEveryCommandHasADescriptionAndExamples() {
    for (CommandLine command : commands(Main.commandLine())) {
      String name = command.getCommandSpec().qualifiedName();
      String usage = command.getUsageMessage();

      assertTrue(command.getCommandSpec().usageMessage().description().length > 0, name);
      boolean isOwn =
          command.getCommandSpec().userObject().getClass().getName().startsWith("carillon");
      assertTrue(
          !isOwn
              || usage.contains("Example")
              || List.of("carillon serve", "carillon fsck", "carillon check").contains(name),
          usage);
      assertTrue(usage.lines().allMatch(line -> line.length() <= 120), usage);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause --all", "resume --all", "jobs list", "status"})
  void optionsOfAConnectionPrecedeEachCommandThatSpeaksToANode(String command) {
    List<String> words = new ArrayList<>(List.of("--url=http://127.0.0.1:1"));
    words.addAll(List.of(command.split(" ")));

    Run run = CarillonCommands.typeBare(words.toArray(String[]::new));

    assertEquals(3, run.code(), run.err());
  }

  @Test
  void helpAndCompletionArePrinted() {
    Run help = CarillonCommands.typeBare("import", "--help").ok();
    Run completion = CarillonCommands.typeBare("completion", "bash").ok();
    assertEquals(completion, CarillonCommands.typeBare("completion", "zsh").ok());
    assertEquals(completion, CarillonCommands.typeBare("generate-completion").ok());
    assertEquals(2, CarillonCommands.typeBare("completion", "fish").code());

    help.assertOut("--from-line");
    completion.assertOut("_complete_carillon");
  }

  @Test
  void theManPageHasEachCommandAndOptionThatTheHelpHas() {
    List<String> page = CarillonCommands.typeBare("man").ok().lines();

    String text = String.join("\n", page).replace("\\-", "-");
    assertTrue(page.get(0).startsWith(".TH CARILLON 1 "), page.get(0));
    for (String section :
        new String[] {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS"}) {
      assertTrue(page.contains(".SH " + section), section);
    }
    assertHas(text, Main.commandLine().getCommandSpec());
    assertTrue(text.contains("state: enabled, disabled, completed, faulted."), "candidates");
    assertFalse(text.contains("${"), "variables");
    assertFalse(text.contains("%n"), "formats");
  }

  private static void assertHas(String page, CommandSpec command) {
    for (CommandLine one : command.subcommands().values()) {
      CommandSpec spec = one.getCommandSpec();
      if (spec.usageMessage().hidden()) {
        continue;
      }
      assertTrue(page.contains("\n.SS " + spec.qualifiedName()), spec.qualifiedName());
      spec.options().stream()
          .filter(option -> !option.hidden() && !option.usageHelp())
          .forEach(option -> assertTrue(page.contains(option.longestName()), option.longestName()));
      assertHas(page, spec);
    }
  }

  @Test
  void unknownWordsAndBadOptionsEndInOneLineAndTheCodeOfUsage() {
    String[][] mistakes = {
      {"job"},
      {"jobs"},
      {"jobs", "list", "--state", "broken"},
      {"jobs", "get"},
      {"jobs", "get", "a/b/c"},
      {"jobs", "get", "a/b/c/d/e"},
      {"jobs", "get", "a", "--group", "no/name"},
      {"jobs", "list", "--subscription", ""},
      {"nodes", "--group", "g"},
      {"--group", "g", "nodes"},
      {"--url", "http://127.0.0.1:1", "serve"},
      {"--key", "k", "check"},
      {"--url", "nonsense", "nodes"},
      {"jobs", "--key-file", "/nowhere", "list"},
      {"nodes", "--url", "ftp://127.0.0.1"},
      {"nodes", "--url", "nonsense"},
      {"nodes", "--key", "two words"},
      {"nodes", "--key-file", "/nowhere"},
      {"nodes", "--ca", "/nowhere"},
      {"nodes", "--json=maybe"},
      {"--conf", "x.yaml", "nodes"},
      {"due", "--limit", "1001"},
      {"jobs", "list", "--limit", "-1"},
      {"jobs", "history", "a", "--limit", "x"},
      {"tail", "--limit", "-1"},
      {"import"},
      {"import", "/nowhere"},
      {"import", "x", "--concurrency", "0"},
      {"preview"},
      {"train"},
      {"train", "--seconds", "0"},
      {"--conf", "x.yaml", "train"},
      {"serve", "--conf", "/nowhere"},
    };
    for (String[] mistake : mistakes) {
      Run run = CarillonCommands.typeBare(mistake);

      boolean isStart = mistake[0].equals("serve");
      assertEquals(isStart ? 1 : 2, run.code(), () -> String.join(" ", mistake) + ": " + run);
      assertEquals(1, run.err().lines().count(), run::err);
      assertTrue(run.err().startsWith("carillon: "), run.err());
      assertFalse(run.err().contains("two words"), run::err);
    }
  }

  @Test
  void aMistypedOrMissingCommandOrOptionIsAnsweredWithTheNearest() {
    String[][] mistakes = {
      {"there is no command 'job'; did you mean 'jobs'?", "job"},
      {"there is no command 'calender'; did you mean 'calendars'?", "calender"},
      {"in 'carillon jobs' there is no command 'lst'; did you mean 'list'?", "jobs", "lst"},
      {"in 'carillon jobs' there is no command 'hstory'", "help", "jobs", "hstory"},
      {"there is no option '--limt'; did you mean '--limit'?", "jobs", "list", "--limt=3"},
      {"there is no option '--prot'; did you mean '--port'?", "--prot", "8081"},
      {"there is no option '--xyzzy'; see --help", "jobs", "list", "--xyzzy"},
      {"there is no command 'nonsense'; see --help", "nonsense"},
      {"there is no command 'version'; did you mean '--version'?", "version"},
      {"'x' is no number", "jobs", "list", "--limit", "x"},
      {"'carillon jobs list' takes no 'b'", "jobs", "list", "a", "b"},
      {"carillon: jobs: a command is missing; see --help", "jobs"},
      {"carillon: keys: a command is missing; see --help", "--url", "http://127.0.0.1:1", "keys"},
    };
    for (String[] mistake : mistakes) {
      Run run = CarillonCommands.typeBare(java.util.Arrays.copyOfRange(mistake, 1, mistake.length));

      assertEquals(2, run.code());
      run.assertErr(mistake[0]);
      assertEquals(1, run.err().lines().count(), run::err);
    }
  }

  @Test
  void whatFollowsAMistypedOptionIsNotRepeated() {
    Run run = CarillonCommands.typeBare("jobs", "list", "--kee=s3cret", "s3cret2");

    assertEquals(2, run.code());
    assertFalse(run.err().contains("s3cret"), run::err);
  }

  @Test
  void aNodeThatIsNotThereIsSaidInOneLine() {
    String url = "http://127.0.0.1:" + Ports.free();

    Run run = new CarillonCommands(url).type("jobs", "list");

    assertEquals(3, run.code());
    assertEquals("carillon: " + url + " cannot be reached: connection refused\n", run.err());
  }

  @Test
  void aNodeIsTrustedByTheCertificatesOfAFileAlone() throws Exception {
    TestCertificate certificate = TestCertificate.make(dir, "localhost", "changeit");
    Path empty = Files.writeString(dir.resolve("empty.pem"), "");
    Vertx vertx = Vertx.vertx();
    try {
      HttpServer server =
          vertx
              .createHttpServer(
                  new HttpServerOptions()
                      .setSsl(true)
                      .setKeyCertOptions(
                          new PfxOptions()
                              .setPath(certificate.pfx().toString())
                              .setPassword(certificate.password())))
              .requestHandler(request -> request.response().end("{\"value\":[],\"nextLink\":null}"))
              .listen(0, "127.0.0.1")
              .await(30, TimeUnit.SECONDS);
      CarillonCommands carillon = new CarillonCommands("https://127.0.0.1:" + server.actualPort());

      carillon.type("nodes", "--ca", certificate.pem().toString()).ok();
      Run stranger = carillon.type("nodes");
      Run without = carillon.type("nodes", "--ca", empty.toString());

      assertEquals(3, stranger.code());
      stranger.assertErr("cannot be reached: TLS: ");
      assertEquals(2, without.code(), without.err());
    } finally {
      vertx.close().await(30, TimeUnit.SECONDS);
    }
  }
}
