package carillon.cli.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands.Run;
import carillon.cli.WithCommands;
import carillon.cli.output.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of jobs changed in an editor, against a real node. The editor is sed. */
class EditJobCommandTest extends WithCommands {
  private static final String KEPT = "; your text is in ";

  @BeforeEach
  void prepare() {
    api.put(
            "/jobcollections/default/jobs/a",
            "{`recurrence`:{`frequency`:`day`,`interval`:2},`action`:{`request`:{`uri`:`https://h/`,`headers`:{`Authorization`:`Bearer"
                + " s3cret`,`X-A`:`b`}}}}")
        .assertStatus(201);
  }

  private Run edit(String script) {
    return carillon.type("jobs", "edit", "a", "--editor", "sed -i '" + script + "'");
  }

  private JsonNode shown() throws IOException {
    return Json.MAPPER.readTree(carillon.type("jobs", "get", "a", "--json").ok().out());
  }

  private static Path kept(Run run) {
    return Path.of(run.err().strip().split(KEPT, 2)[1]);
  }

  @Test
  void whatWasChangedIsSentAndNothingElse() throws IOException {
    JsonNode before = shown();

    Run run = edit("s/\"interval\" : 2/\"interval\" : 3/").ok();

    assertTrue(run.out().startsWith("default/a changed, next at "), run.out());
    JsonNode after = shown();
    assertEquals(3, after.path("recurrence").path("interval").asInt());
    assertEquals(before.path("action"), after.path("action"));
  }

  @Test
  void nothingIsSentWhereNothingWasChanged() throws IOException {
    JsonNode before = shown();

    edit("s/nowhere//").ok().assertErr("nothing was changed");

    assertEquals(before, shown());
  }

  @Test
  void anEditorThatFailsChangesNothing() throws IOException {
    JsonNode before = shown();

    Run run = carillon.type("jobs", "edit", "a", "--editor", "false");

    assertEquals(1, run.code());
    run.assertErr("the editor ended with 1; nothing was changed");
    assertEquals(before, shown());
  }

  @Test
  void whatIsNotTakenIsKeptForWhoWroteIt() throws IOException {
    Run refused = edit("s/\"interval\" : 2/\"interval\" : -2/");
    Run noJson = edit("s/\"interval\" : 2/\"interval\" : two/");
    Run meanwhile =
        carillon.type(
            "jobs",
            "edit",
            "a",
            "--editor",
            "curl -s -X POST http://127.0.0.1:"
                + api.port()
                + "/jobcollections/default/jobs/a/disable >/dev/null; sed -i 's/: 2/: 3/'");

    assertEquals(1, refused.code());
    refused.assertErr("interval");
    assertEquals(2, noJson.code());
    noJson.assertErr("this is not JSON: ", " at line ");
    assertEquals(1, meanwhile.code());
    meanwhile.assertErr("default/a was changed by somebody else");
    for (Run run : new Run[] {refused, noJson, meanwhile}) {
      String text = Files.readString(kept(run));
      assertTrue(text.contains("interval"), text);
      assertFalse(text.contains("s3cret"), text);
      Files.delete(kept(run));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{} | {} | {}",
        "{\"a\":1,\"b\":2} | {\"a\":1} | {\"b\":null}",
        "{\"a\":{\"b\":1,\"c\":2}} | {\"a\":{\"b\":1,\"c\":3}} | {\"a\":{\"c\":3}}",
        "{\"a\":[1,2]} | {\"a\":[2]} | {\"a\":[2]}",
        "{\"a\":{\"b\":1}} | {\"a\":\"x\"} | {\"a\":\"x\"}",
        "{} | {\"a\":{\"b\":1}} | {\"a\":{\"b\":1}}",
      })
  void thePatchSaysTheDifference(String before, String after, String patch) throws IOException {
    assertEquals(
        Json.MAPPER.readTree(patch),
        EditJobCommand.patch(
            (ObjectNode) Json.MAPPER.readTree(before), (ObjectNode) Json.MAPPER.readTree(after)));
  }
}
