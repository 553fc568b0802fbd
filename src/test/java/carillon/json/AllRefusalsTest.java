package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.arm.ArmEnvelope;
import carillon.flow.FlowName;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobException.Detail;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.json.schedule.CalendarCodec;
import carillon.json.text.Dialect;
import carillon.json.view.Explanation;
import carillon.json.view.FlowCodec;
import carillon.json.view.Preview;
import carillon.recurrence.calendar.CalendarDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Test that the refusal of a native body names all mistakes and nothing else. */
class AllRefusalsTest {
  private static final JobKey JOB = new JobKey("s/g/c/j");
  private static final FlowName FLOW = new FlowName("default", "default", "a");
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  private static final String BLOCKED = "blocked.example is not reachable for jobs";
  private static final JobCodec NATIVE =
      new JobCodec(
          Dialect.NATIVE,
          JobCodecTest.LIMITS,
          (host, port) -> host.equals("blocked.example") ? Optional.of(BLOCKED) : Optional.empty());
  private static final String ACTION =
      "'action':{'type':'http','request':{'uri':'http://h/','method':'GET'}}";

  private static byte[] json(String text) {
    return text.replace("ACTION", ACTION).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static JobException refusal(Executable reading) {
    JobException refusal = assertThrows(JobException.class, reading);
    assertEquals(ErrorCode.INVALID, refusal.code());
    return refusal;
  }

  private static JobException refusal(String document) {
    return refusal(() -> NATIVE.read(JOB, json(document), NOW));
  }

  private static List<String> targets(JobException refusal) {
    return refusal.details().stream().map(Detail::target).toList();
  }

  /**
   * The table has a document, and the blank-separated targets of its refusals; "-" for a single
   * refusal.
   */
  @ParameterizedTest(name = "{0}")
  @CsvFileSource(
      resources = "/codec/all-refused.csv",
      delimiter = '|',
      quoteCharacter = '\0',
      maxCharsPerColumn = 100_000)
  void allThatIsWrongIsTold(String document, String targets) {
    JobException refusal = refusal(document.trim());
    assertEquals(
        targets.trim(),
        refusal.details().isEmpty() ? "-" : String.join(" ", targets(refusal)),
        () -> refusal.getMessage() + " " + refusal.details());
  }

  /**
   * The other table has single mistakes, except for documents in both. No mistake causes another.
   */
  @ParameterizedTest(name = "{0}")
  @CsvFileSource(
      resources = "/codec/refused.csv",
      delimiter = '|',
      quoteCharacter = '\0',
      maxCharsPerColumn = 100_000)
  void aSingleMistakeHasNoDetails(String document, String message) {
    JobException refusal =
        refusal(
            () ->
                NATIVE.read(
                    JOB,
                    document
                        .replace("ACTION", ACTION.substring(ACTION.indexOf('{')).replace('\'', '"'))
                        .replace('`', '"')
                        .getBytes(StandardCharsets.UTF_8),
                    NOW));
    if (!refusal.details().isEmpty()) {
      assertEquals(refusal.getMessage(), refusal.details().get(0).message());
      assertTrue(
          severalMistakes().contains(document.replace('`', '\'')), refusal.details()::toString);
    }
  }

  private static Set<String> severalMistakes() {
    try (InputStream table = AllRefusalsTest.class.getResourceAsStream("/codec/all-refused.csv")) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.substring(0, line.lastIndexOf('|')).trim())
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void eachDetailIsWhatARefusalForItAloneSays() {
    JobException refusal =
        refusal(
            "{'action':{'type':'http','request':{'uri':'h','method':'FETCH'}},"
                + "'recurrence':{'frequency':'day','interval':0}}");
    assertEquals(
        List.of(
            "recurrence.interval: 0 must be a whole number from 1 to 548",
            "action.request.method: 'FETCH' must be one of GET, HEAD, POST, PUT, PATCH, DELETE,"
                + " OPTIONS"),
        refusal.details().stream()
            .map(Detail::message)
            .filter(message -> !message.startsWith("action.request.uri"))
            .toList());
    assertEquals(refusal.getMessage(), refusal.details().get(0).message());
    assertTrue(refusal.details().stream().allMatch(d -> d.code() == ErrorCode.INVALID));
  }

  static List<Dialect> lenient() {
    return List.of(ArmEnvelope.DIALECT, Dialect.of());
  }

  @ParameterizedTest
  @MethodSource("lenient")
  void theServicesDialectsTellTheFirstAlone(Dialect dialect) {
    String job = "{'startTime':5,'action':{'type':'nothing'},'recurrence':7}";
    String document = dialect.has(Dialect.Switch.ENVELOPED) ? "{'properties':" + job + "}" : job;
    JobCodec codec = new JobCodec(dialect, JobCodecTest.LIMITS);
    assertEquals(List.of(), refusal(() -> codec.read(JOB, json(document), NOW)).details());
  }

  @Test
  void aMillionMistakesAreNotAllTold() {
    String hours = IntStream.range(0, 1000).mapToObj(i -> "99").collect(Collectors.joining(","));
    JobException refusal =
        refusal("{ACTION,'recurrence':{'frequency':'day','schedule':{'hours':[" + hours + "]}}}");
    assertEquals(50, refusal.details().size());
  }

  /** Checks 30,000 unknown names: only the first 50 are compared with all known names. */
  @Test
  void unknownNamesAreLookedAtUntilEnoughAreFound() {
    String names =
        IntStream.range(0, 30_000).mapToObj(i -> "'x" + i + "':1").collect(Collectors.joining(","));
    String within =
        IntStream.range(0, 30_000)
            .mapToObj(i -> "'x." + i + "':1")
            .collect(Collectors.joining(",", "'x':1,", ""));
    JobException many = refusal(() -> FlowCodec.read(json("{" + names + "}"), FLOW));
    JobException one = refusal(() -> FlowCodec.read(json("{" + within + "}"), FLOW));

    assertEquals(50, many.details().size());
    assertEquals("x49", targets(many).get(49));
    assertEquals(List.of(), targets(one), "all others are about the same place");
  }

  @Test
  void aPropertyThatBelongsFurtherInIsAnsweredWithItsPath() {
    Map<String, String> places =
        Map.of(
            "{ACTION,'frequency':'day'}",
                "frequency: this property is not known here; did you mean 'recurrence.frequency'?",
            "{ACTION,'body':'x'}",
                "body: this property is not known here; did you mean 'action.request.body'?",
            "{ACTION,'giveUpOn':[404]}",
                "giveUpOn: this property is not known here;"
                    + " did you mean 'action.retryPolicy.giveUpOn'?",
            "{ACTION,'url':'http://h/'}",
                "url: this property is not known here; did you mean 'action.request.uri'?",
            "{ACTION,'cron':'0 9 * * *'}",
                "cron: this property is not known here; did you mean 'recurrence.cron'?",
            "{ACTION,'retryPolicy':{}}",
                "retryPolicy: this property is not known here; did you mean 'action.retryPolicy'?",
            "{'action':{'type':'http','URL':'http://h/','request':{'uri':'http://h/'}}}",
                "action.url: this property is not known here; did you mean 'request.uri'?",
            "{'action':{'type':'http','retryCount':3,'request':{'uri':'http://h/'}}}",
                "action.retryCount: this property is not known here;"
                    + " did you mean 'retryPolicy.retryCount'?");
    places.forEach((job, message) -> assertEquals(message, refusal(job).getMessage()));
  }

  @Test
  void aLongNameIsNotTakenForAMistypedOne() {
    String name = "s" + "tartTime".repeat(8);
    assertTrue(refusal("{ACTION,'" + name + "':1}").getMessage().endsWith("check its spelling"));
    assertTrue(
        refusal("{ACTION,'" + "x".repeat(40_000) + "':1}")
            .getMessage()
            .endsWith("check its spelling"));
  }

  @Test
  void aCallNamesItsOwnPlaces() {
    JobException refusal =
        refusal(
            () ->
                NATIVE.call(
                    json("{'url':'ftp://x','method':'FETCH','in':'soon','priority':99}"),
                    Optional.empty(),
                    id -> new JobName(new CollectionName("s", "g", "c"), id.orElse("made")),
                    NOW));
    assertEquals(List.of("in", "method", "url", "priority"), targets(refusal).stream().toList());
  }

  @Test
  void aPatchTellsAll() {
    JobException refusal =
        refusal(
            () ->
                FlowCodec.patch(
                    FlowCodec.read(json("{'match':['a.example'],'parallelism':2}"), FLOW),
                    json("{'name':'b','parallelism':0,'rate':{'limit':0},'retryAfter':'yes'}"),
                    FLOW));
    assertEquals(List.of("name", "rate.limit", "parallelism", "retryAfter"), targets(refusal));
  }

  @Test
  void aFlowTellsAll() {
    JobException refusal =
        refusal(
            () ->
                FlowCodec.read(
                    json(
                        "{'mach':1,'match':['a b'],'breaker':{'ratio':2,'pause':'0s','probes':0}}"),
                    FLOW));
    assertEquals(
        List.of("mach", "match", "breaker.ratio", "breaker.pause", "breaker.probes"),
        targets(refusal));
  }

  @Test
  void aCalendarTellsEachSpanThatIsWrong() {
    JobException refusal =
        refusal(
            () ->
                CalendarCodec.read(
                    json(
                        "{'timeZone':'Mars/Base','spans':[{'date':'2026-12-25'},{'date':'x'},"
                            + "{'weekDays':['mon']},{}]}"),
                    "c"));
    assertEquals(
        List.of("timeZone", "spans[1].date", "spans[2].weekDays[0]", "spans[3]"), targets(refusal));
  }

  @Test
  void aCollectionTellsAll() {
    JobException refusal =
        refusal(
            () ->
                new CollectionCodec(Dialect.NATIVE)
                    .read(
                        json(
                            "{'state':'off','tags':{'a':5},'quota':{'maxJobCount':0,"
                                + "'maxRecurrence':{'frequency':'dayly','interval':-1}}}"),
                        "c"));
    assertEquals(
        List.of(
            "tags.a",
            "state",
            "quota.maxJobCount",
            "quota.maxRecurrence.frequency",
            "quota.maxRecurrence.interval"),
        targets(refusal));
  }

  @Test
  void aPreviewAndAnExplanationTellAll() {
    String document = "{'now':'yesterday','recurrence':{'frequency':'day','interval':0},'top':0}";
    List<String> all = List.of("now", "top", "recurrence.interval");
    assertEquals(
        all, targets(refusal(() -> new Preview(JobCodecTest.LIMITS).answer(json(document), NOW))));
    assertEquals(
        all,
        targets(
            refusal(
                () ->
                    new Explanation(JobCodecTest.LIMITS)
                        .answer(json(document), NOW, CalendarDirectory.EMPTY))));
  }
}
