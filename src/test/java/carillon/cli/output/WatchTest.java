package carillon.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.Main;
import carillon.api.WithApi;
import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import carillon.support.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Test of lists that refresh repeatedly, on a terminal and elsewhere. */
class WatchTest extends WithApi {
  private static final String JOB =
      "{`startTime`:`2026-11-21T05:00:00Z`,`action`:{`request`:{`uri`:`https://h/`}}}";
  private static final int PATIENCE_MS = 30_000;
  private static final Pattern LISTINGS =
      Pattern.compile(
          "carillon_api_requests_total\\{.*method=\"GET\",resource=\"jobs\".*} (\\d+)\\.0");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicInteger code = new AtomicInteger(-1);
  private Thread watching;

  @BeforeEach
  void prepare() {
    put("a");
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (watching != null) {
      watching.interrupt();
      watching.join();
    }
  }

  private void put(String job) {
    api.put("/jobcollections/default/jobs/" + job, JOB).assertStatus(201);
  }

  private void watch(Terminal terminal, String... words) {
    CommandLine.IFactory made = CommandLine.defaultFactory();
    CommandLine.IFactory factory =
        new CommandLine.IFactory() {
          @Override
          public <K> K create(Class<K> type) throws Exception {
            return type == Output.class ? type.cast(new Output(() -> terminal)) : made.create(type);
          }
        };
    CommandLine line =
        Main.commandLine(factory).setOut(new PrintWriter(out)).setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--watch", "--interval=100ms", "--url=http://127.0.0.1:" + api.port()));
    watching = new Thread(() -> code.set(line.execute(all.toArray(new String[0]))));
    watching.start();
  }

  private static void await(StringWriter text, Predicate<String> hope) {
    Await.until(text::toString, () -> hope.test(text.toString()));
  }

  /** Waits until three more rounds are displayed. */
  private void awaitRounds() {
    int before = listings();
    Await.until("more listings", () -> listings() > before + 3);
  }

  private int listings() {
    return LISTINGS
        .matcher(api.get("/metrics").body())
        .results()
        .mapToInt(line -> Integer.parseInt(line.group(1)))
        .sum();
  }

  /** Accepts {@code times} connections at the node's port and closes them. */
  private static void hangUp(int port, int times) throws IOException {
    try (ServerSocket gone = new ServerSocket(port, times, InetAddress.getLoopbackAddress())) {
      gone.setSoTimeout(PATIENCE_MS);
      for (int i = 0; i < times; i++) {
        gone.accept().close();
      }
    }
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void aPipeGetsWhatIsNewOrHasChanged() throws InterruptedException {
    watch(Terminal.NONE, "jobs", "list");
    await(out, text -> text.contains("a    enabled"));
    put("b");
    await(out, text -> text.contains("b    enabled"));
    api.send("POST", "/jobcollections/default/jobs/a/disable", null).assertStatus(200);
    await(out, text -> text.contains("a    disabled"));
    awaitRounds();
    stopped();

    String text = out.toString();
    assertEquals(1, count(text, "JOB "), text);
    assertEquals(4, text.lines().count(), text);
    assertFalse(text.contains("\u001b"), text);
  }

  private void stopped() throws InterruptedException {
    watching.interrupt();
    watching.join(PATIENCE_MS);
    assertEquals(0, code.get(), err::toString);
  }

  @Test
  void documentsThatAreNewOrHaveChangedAreLines() throws InterruptedException {
    watch(new Terminal(true, 80, 24, true, true), "jobs", "list", "--json");
    await(out, text -> text.contains("\"id\":\"a\""));
    put("b");
    await(out, text -> text.contains("\"id\":\"b\""));
    awaitRounds();
    stopped();

    assertEquals(2, out.toString().lines().count(), out::toString);
  }

  @Test
  void aTerminalIsDrawnAnewAndNoLowerThanItIs() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      put("j" + i);
    }
    watch(new Terminal(true, 70, 8, true, true), "jobs", "list");
    await(out, text -> count(text, "\u001b[H") > 2);
    stopped();

    String screen = out.toString().split("\u001b\\[H", 3)[1];
    List<String> lines = screen.lines().toList();
    assertTrue(lines.get(0).contains(", every 100ms; Ctrl-C ends"), screen);
    assertTrue(lines.get(1).startsWith("\u001b[1mJOB"), screen);
    assertTrue(lines.get(2).startsWith("a    \u001b[32menabled\u001b[0m"), screen);
    assertEquals("… 17 more\u001b[K", lines.get(6));
    assertEquals("\u001b[J", lines.get(7));
    assertEquals(8, lines.size());
    for (String line : lines) {
      String plain = line.replaceAll("\u001b\\[\\d*[a-zA-Z]", "");
      assertTrue(plain.length() <= 70, plain.length() + ": " + plain);
    }
  }

  @Test
  void aDumbTerminalIsAppendedTo() throws InterruptedException {
    watch(new Terminal(true, 80, 24, false, false), "status");
    await(out, text -> text.contains("1 enabled"));
    put("b");
    await(out, text -> text.contains("2 enabled"));
    stopped();

    assertFalse(out.toString().contains("\u001b"), out::toString);
  }

  @Test
  void aNodeThatGoesAwayIsSaidOnceAndAskedAgain() throws Exception {
    int port = api.port();
    watch(Terminal.NONE, "jobs", "list");
    await(out, text -> text.contains("a    enabled"));
    api.close();
    await(err, text -> text.contains("; still trying"));
    hangUp(port, 6);
    stopped();

    assertEquals(1, err.toString().lines().count(), err::toString);
    assertEquals(2, out.toString().lines().count(), out::toString);
  }

  @Test
  void whatCannotBeWatchedIsRefused() {
    Run never = CarillonCommands.typeBare("jobs", "list", "-w", "--url=http://127.0.0.1:1");
    Run fast = CarillonCommands.typeBare("jobs", "list", "-w", "--interval=1ms");
    Run alone = CarillonCommands.typeBare("jobs", "list", "--interval=1s");

    assertEquals(3, never.code());
    assertEquals(2, fast.code());
    fast.assertErr("--interval must be 100ms at least, was '1ms'");
    assertEquals(2, alone.code());
    alone.assertErr("--interval goes with --watch");
  }

  @Test
  void columnsAreCutToTheWidthOfTheTerminal() {
    StringWriter text = new StringWriter();
    TextTable table = new TextTable(List.of("job", "destination", "state", "message"), 50, true);
    table.add(List.of("nightly", "a-long-name-of-a-host.example:443", "failed", "it is all wrong"));
    try (PrintWriter writer = new PrintWriter(text)) {
      table.print(writer);
    }

    assertEquals(
        """
        \u001b[1mJOB      DESTINATION       STATE   MESSAGE\u001b[0m
        nightly  a-long-name-of-…  \u001b[31mfailed\u001b[0m  it is all wrong
        """,
        text.toString());
  }
}
