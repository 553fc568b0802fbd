package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.Main;
import carillon.api.WithApi;
import carillon.cli.CarillonCommands.Run;
import carillon.support.JobJson;
import carillon.support.Ports;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of words that the shell completes with names from the node. */
class CompletionCommandTest extends WithApi {
  private static final String JOB =
      JobJson.post("https://example.org/").startTime("2026-11-21T05:00:00Z").json();

  @TempDir Path dir;

  private String url;

  @BeforeEach
  void prepare() {
    url = "http://127.0.0.1:" + api.port();
    for (String job :
        List.of("default/jobs/Nightly", "default/jobs/other", "night/jobs/a", "night/jobs/b")) {
      api.put("/jobcollections/" + job, JOB).assertStatus(201);
    }
    api.put("/flows/crm", "{\"parallelism\":1}").assertStatus(201);
  }

  /** Returns the completions of the last word, at this node. */
  private List<String> names(String... words) {
    List<String> all = new ArrayList<>(List.of("completion", "names", "--", "--url", url));
    all.addAll(Arrays.asList(words));
    return CarillonCommands.typeBare(all.toArray(String[]::new)).ok().lines();
  }

  @Test
  void wordsBecomeNamesOfWhatTheCommandTakes() {
    assertEquals(List.of("Nightly", "night/"), names("jobs", "get", "nig"));
    assertEquals(
        List.of("Nightly", "other", "default/", "night/"), names("jobs", "run", "Nightly", ""));
    assertEquals(List.of("night/b"), names("jobs", "history", "-o", "json", "night/b"));
    assertEquals(List.of("night"), names("collections", "get", "n"));
    assertEquals(List.of("night"), names("executions", "--collection", "n"));
    assertEquals(List.of("crm"), names("flows", "pause", "--note", "why", ""));
  }

  /** The program buffers its output, and the commands it runs for names have a separate output. */
  @Test
  void namesReachAnOutputThatIsBuffered() {
    StringWriter written = new StringWriter();
    PrintWriter out = new PrintWriter(new BufferedWriter(written));

    int code =
        Main.commandLine()
            .setOut(out)
            .execute("completion", "names", "--", "--url", url, "flows", "get", "");

    assertEquals(0, code);
    assertEquals("crm\n", written.toString());
  }

  @Test
  void otherWordsBecomeNothing() {
    assertEquals(List.of(), names("jobs", "get", "x"));
    assertEquals(List.of(), names("nodes", ""));
    assertEquals(List.of(), names("jobs", "get", "--group", ""));
    assertEquals(List.of(), names("no", "such", ""));
  }

  @Test
  void aNodeThatIsNotThereOrRefusesIsPassedOverInSilence() {
    String nobody = "http://127.0.0.1:" + Ports.free();
    for (String[] connection : new String[][] {{"--url", nobody}, {"--url=" + url, "--key=k"}}) {
      List<String> all = new ArrayList<>(List.of("completion", "names", "--", "jobs"));
      all.addAll(Arrays.asList(connection));
      all.addAll(List.of("get", "nothing"));

      Run run = CarillonCommands.typeBare(all.toArray(String[]::new)).ok();

      assertEquals("", run.out() + run.err());
    }
  }

  @Test
  void theScriptAsksTheProgramThatWasTyped() throws Exception {
    String script = CarillonCommands.typeBare("completion").ok().out();
    Path file = Files.writeString(dir.resolve("completion"), script);

    assertEquals(
        "completion names -- jobs get nig\n[Nightly][night/]", complete(file, "jobs get nig"));
    assertEquals("[get]", complete(file, "jobs ge"));
    String help = complete(file, "jobs get --h");
    assertTrue(help.contains("[--help]"), help);
    assertFalse(help.contains("names"), help);
  }

  /** Returns bash's completions of a line, after the arguments that the program received. */
  private String complete(Path script, String line) throws IOException, InterruptedException {
    String commands =
        """
        carillon() { echo "$@" >asked; printf 'Nightly\\nnight/\\n'; }
        . "$0"
        COMP_WORDS=(carillon %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
        _carillon_with_names carillon "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        cat asked; printf '[%%s]' "${COMPREPLY[@]}"
        """
            .formatted(line);
    Process bash =
        new ProcessBuilder("bash", "-c", "rm -f asked; " + commands, script.toString())
            .directory(dir.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    bash.waitFor();
    return out;
  }
}
