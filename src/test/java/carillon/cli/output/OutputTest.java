package carillon.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.api.ApiServer;
import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import carillon.cli.WithCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of the output of commands and of the help. */
class OutputTest extends WithCommands {
  private static final String JOB =
      "{`startTime`:`2026-11-21T05:00:00Z`,`action`:{`request`:{`uri`:`https://h/`}}}";

  @BeforeEach
  void prepare() {
    api.put("/jobcollections/default/jobs/a", JOB).assertStatus(201);
  }

  @Override
  protected String type(String... words) {
    return carillon.type(words).ok().out();
  }

  @Test
  void aListHasTheFormThatIsAskedFor() {
    assertEquals("a\n", type("jobs", "list", "-o", "name"));
    assertEquals("default/a\n", type("due", "-o", "name"));
    assertTrue(type("jobs", "list", "-o", "yaml").startsWith("---\nid: \"a\"\n"));
    assertEquals(type("jobs", "list", "--json"), type("jobs", "list", "-o", "json"));
    assertTrue(type("jobs", "list", "-o", "wide").startsWith("JOB  STATE"));
    assertTrue(type("jobs", "list", "-o", "wide").contains("FAILED"));
    assertFalse(type("jobs", "list").contains("FAILED"));
    assertTrue(type("jobs", "get", "a", "-o", "yaml").contains("startTime: \"2026-11-21T05"));
    assertEquals("default/a\n", type("jobs", "run", "a", "-o", "name"));
    assertEquals(2, carillon.type("jobs", "list", "-o", "xml").code());
  }

  @Test
  void instantsCanBeToldFromNow() {
    assertTrue(
        type("jobs", "list", "--times", "relative").matches("(?s).* (in )?\\d+[dhms]( ago)? .*"));
    assertTrue(type("jobs", "list").contains("2026-11-21T05:00:00Z"));
  }

  @Test
  void removalsOfFinishedJobsAreDueWhenAskedForAlone() {
    assertTrue(type("due").contains("occurrence"));
    assertFalse(type("due", "--kind", "purge,retry").contains("occurrence"));
    assertEquals(2, carillon.type("due", "--kind", "nonsense").code());
  }

  @Test
  void moreIsDueThanAPageOfOtherListsHas() {
    for (int i = 0; i < 150; i++) {
      api.put("/jobcollections/default/jobs/b" + i, JOB).assertStatus(201);
    }

    assertEquals(151, type("due", "-o", "name", "--limit", "1000").lines().count());
    assertEquals(120, type("due", "-o", "name", "--limit", "120").lines().count());
    assertEquals(20, type("due", "-o", "name").lines().count());
  }

  @Test
  void aKindIsFoundBehindOthers() {
    for (int i = 0; i < 150; i++) {
      api.put("/jobcollections/default/jobs/b" + i, JOB).assertStatus(201);
    }
    api.post("/jobcollections/default/jobs/b0/disable", "{\"until\":\"2026-11-22T00:00:00Z\"}")
        .assertStatus(200);

    assertEquals("default/b0\n", type("due", "-o", "name", "--kind", "resume"));
    assertEquals("", type("due", "-o", "name", "--kind", "buffered"));
  }

  @Test
  void linesAreCutAtTheWidthOfTheTerminal() {
    StringWriter out = new StringWriter();
    TextTable table = new TextTable(List.of("a", "message"), 20, true);
    table.add(List.of("x", "a message that is too long"));
    try (PrintWriter writer = new PrintWriter(out)) {
      table.print(writer);
    }

    assertEquals("\u001b[1mA  MESSAGE\u001b[0m\nx  a message that i…\n", out.toString());
  }

  @Test
  void theBeginningOfALastColumnIsWorthCuttingOthers() {
    StringWriter out = new StringWriter();
    TextTable table = new TextTable(List.of("job", "executions", "action"), 42, false);
    table.add(List.of("nightly", "1234567890123456", "POST https://example.org/hook"));
    try (PrintWriter writer = new PrintWriter(out)) {
      table.print(writer);
    }

    assertEquals(
        "JOB      EXECUTIO…  ACTION\nnightly  12345678…  POST https://example.…\n",
        out.toString().replaceAll(" +\n", "\n"));
  }

  @Test
  void aMissingKeyIsToldWithWhereToFindIt() {
    try (ApiServer closed = new ApiServer(ApiServer.keys(ApiKeyToken.random()))) {
      Run run = new CarillonCommands("http://127.0.0.1:" + closed.port()).type("jobs", "list");

      assertEquals(1, run.code());
      run.assertErr("CARILLON_KEY_FILE", "data/admin.key");
    }
  }

  @Test
  void helpIsThereInAllItsForms() {
    String help = CarillonCommands.typeBare("jobs", "list", "--help").ok().out();

    assertEquals(help, CarillonCommands.typeBare("jobs", "list", "-h").ok().out());
    assertFalse(help.contains("--key-file"), help);
    assertTrue(help.contains("carillon --help"), help);
    assertTrue(CarillonCommands.typeBare("help").ok().out().contains("--key-file"));
    assertTrue(CarillonCommands.typeBare("help", "due").ok().out().contains("--kind"));
  }
}
