package carillon.json;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.api.arm.ArmEnvelope;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Test of every limit and combination that the retired service documented, on both sides of the
 * limit. The largest allowed value is accepted. The next one is refused with field, value and rule.
 * Both dialects are tested with the same limits.
 */
class DocumentedLimitsTest {
  private static final JobKey JOB = new JobKey("s/g/c/j");
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));
  private static final int ENVELOPE = "{\"properties\":}".length();

  /** Rule and its examples; quotation marks are written as backticks. */
  private record Rule(String name, String fits, String exceeds, String message) {}

  @TestFactory
  Stream<DynamicTest> everyLimitIsWhereTheServiceHadIt() {
    return Map.<Dialect, Function<String, String>>of(
            ArmEnvelope.DIALECT, job -> "{`properties`:" + job + "}", Dialect.NATIVE, job -> job)
        .entrySet()
        .stream()
        .flatMap(
            spelling ->
                rules(spelling.getKey())
                    .map(
                        rule ->
                            DynamicTest.dynamicTest(
                                spelling.getKey() + " " + rule.name,
                                () -> check(spelling.getKey(), spelling.getValue(), rule))));
  }

  private static void check(Dialect dialect, Function<String, String> envelope, Rule rule) {
    JobCodec reader = new JobCodec(dialect, LIMITS);

    assertDoesNotThrow(() -> reader.read(JOB, json(envelope.apply(rule.fits)), NOW));
    JobException refusal =
        assertThrows(
            JobException.class, () -> reader.read(JOB, json(envelope.apply(rule.exceeds)), NOW));
    assertEquals(rule.message.replace('`', '"'), refusal.getMessage());
  }

  private static byte[] json(String text) {
    return text.replace('`', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static Stream<Rule> rules(Dialect dialect) {
    int envelope = dialect.equals(ArmEnvelope.DIALECT) ? ENVELOPE : 0;
    return Stream.of(
            requests(envelope), times(), intervals(), schedules(), combinations(dialect), retries())
        .flatMap(List::stream);
  }

  private static List<Rule> requests(int envelope) {
    return List.of(
        new Rule(
            "job",
            job("") + " ".repeat(16_384 - envelope - job("").length()),
            job("") + " ".repeat(16_385 - envelope - job("").length()),
            "Malformed Job Object: 16385 bytes are more than the 16384 allowed"),
        new Rule(
            "uri",
            request("`uri`:`http://h/" + "a".repeat(2039) + "`,`method`:`GET`"),
            request("`uri`:`http://h/" + "a".repeat(2040) + "`,`method`:`GET`"),
            "action.request.uri: 2049 characters are more than the 2048 allowed"),
        new Rule(
            "headers",
            headers(50, 1),
            headers(51, 1),
            "action.request.headers: 51 headers are more than the 50 allowed"),
        new Rule(
            "characters of headers",
            headers(1, 4094),
            headers(1, 4095),
            "action.request.headers: 4097 characters are more than the 4096 allowed"),
        new Rule(
            "body",
            request("`uri`:`http://h/`,`method`:`PUT`,`body`:`" + "a".repeat(8192) + "`"),
            request("`uri`:`http://h/`,`method`:`PUT`,`body`:`" + "a".repeat(8193) + "`"),
            "action.request.body: 8193 bytes are more than the 8192 allowed"),
        new Rule(
            "method",
            request("`uri`:`https://h/`,`method`:`delete`"),
            request("`uri`:`https://h/`,`method`:`TRACE`"),
            "action.request.method: 'TRACE' must be one of GET, HEAD, POST, PUT, PATCH, DELETE,"
                + " OPTIONS"),
        new Rule(
            "a type need not match its scheme",
            "{`action`:{`type`:`Https`,`request`:{`uri`:`http://h/`,`method`:`GET`}}}",
            "{`action`:{`type`:`Ftp`,`request`:{`uri`:`http://h/`,`method`:`GET`}}}",
            "action.type: 'Ftp' must be one of http, https, storageQueue, serviceBusQueue,"
                + " serviceBusTopic, redisStream, redisList"));
  }

  private static String headers(int count, int valueLength) {
    return request(
        "`uri`:`http://h/`,`method`:`GET`,`headers`:"
            + IntStream.range(0, count)
                .mapToObj(i -> String.format("`%02d`:`%s`", i, "v".repeat(valueLength)))
                .collect(Collectors.joining(",", "{", "}")));
  }

  private static List<Rule> times() {
    return List.of(
        new Rule(
            "time to startTime",
            job("`startTime`:`2028-05-23T18:00:00Z`,"),
            job("`startTime`:`2028-05-23T18:00:01Z`,"),
            "startTime: '2028-05-23T18:00:01Z' must be at most 550 days ahead"),
        new Rule(
            "span from now",
            recurrence("`frequency`:`day`,`endTime`:`2028-05-23T18:00:00Z`"),
            recurrence("`frequency`:`day`,`endTime`:`2028-05-23T18:00:01Z`"),
            "recurrence.endTime: '2028-05-23T18:00:01Z' must be at most 550 days after the start"),
        new Rule(
            "span from startTime",
            job(
                "`startTime`:`2027-11-20`,`recurrence`:{`frequency`:`day`,`endTime`:`2029-05-23`},"),
            job(
                "`startTime`:`2027-11-20`,`recurrence`:{`frequency`:`day`,`endTime`:`2029-05-24`},"),
            "recurrence.endTime: '2029-05-24T00:00:00Z' must be at most 550 days after the start"),
        new Rule(
            "endTime in the future",
            recurrence("`frequency`:`day`,`endTime`:`2026-11-20T18:00:01Z`"),
            recurrence("`frequency`:`day`,`endTime`:`2026-11-20T17:59:59Z`"),
            "recurrence.endTime: '2026-11-20T17:59:59Z' must not be before the first occurrence"
                + " from 2026-11-20T18:00:00Z on, 2026-11-20T18:00:00Z"),
        new Rule(
            "count with endTime",
            recurrence("`frequency`:`day`,`count`:1,`endTime`:`2027-11-04`"),
            recurrence("`frequency`:`day`,`count`:0,`endTime`:`2027-11-04`"),
            "recurrence.count: 0 must be a whole number from 1 to 2147483647"),
        new Rule(
            "count",
            recurrence("`frequency`:`day`,`count`:2147483647"),
            recurrence("`frequency`:`day`,`count`:2147483648"),
            "recurrence.count: 2147483648 must be a whole number from 1 to 2147483647"));
  }

  private static List<Rule> intervals() {
    return Stream.of(
            Map.entry("minute", 1000),
            Map.entry("hour", 1000),
            Map.entry("day", 548),
            Map.entry("week", 78),
            Map.entry("month", 18),
            Map.entry("year", 10))
        .flatMap(
            most ->
                Stream.of(
                    interval(most.getKey(), most.getValue(), most.getValue() + 1, most.getValue()),
                    interval(most.getKey(), 1, 0, most.getValue())))
        .toList();
  }

  private static Rule interval(String frequency, int fits, int exceeds, int most) {
    return new Rule(
        "interval " + exceeds + " of " + frequency,
        recurrence("`frequency`:`" + frequency + "`,`interval`:" + fits),
        recurrence("`frequency`:`" + frequency + "`,`interval`:" + exceeds),
        "recurrence.interval: " + exceeds + " must be a whole number from 1 to " + most);
  }

  private static List<Rule> schedules() {
    return List.of(
        scheduled(
            "day",
            "`minutes`:[59]",
            "`minutes`:[60]",
            "minutes[0]: 60 must be a whole number in 0..59"),
        scheduled(
            "day", "`minutes`:[0]", "`minutes`:-1", "minutes: -1 must be a whole number in 0..59"),
        scheduled(
            "day", "`hours`:23", "`hours`:[0,24]", "hours[1]: 24 must be a whole number in 0..23"),
        scheduled(
            "day",
            "`hours`:[`12`,`0`],`minutes`:`30`",
            "`hours`:[`24`]",
            "hours[0]: '24' must be a whole number in 0..23"),
        scheduled(
            "month",
            "`monthDays`:[`-31`]",
            "`monthDays`:[`last`]",
            "monthDays[0]: 'last' must be a whole number in -31..-1 or 1..31"),
        scheduled(
            "month",
            "`monthDays`:[31]",
            "`monthDays`:[32]",
            "monthDays[0]: 32 must be a whole number in -31..-1 or 1..31"),
        scheduled(
            "month",
            "`monthDays`:[-31]",
            "`monthDays`:[-32]",
            "monthDays[0]: -32 must be a whole number in -31..-1 or 1..31"),
        scheduled(
            "month",
            "`monthDays`:[1]",
            "`monthDays`:[0]",
            "monthDays[0]: 0 must be a whole number in -31..-1 or 1..31"),
        scheduled(
            "month",
            "`monthlyOccurrences`:[{`day`:`Friday`,`Occurrence`:5}]",
            "`monthlyOccurrences`:[{`day`:`Friday`,`Occurrence`:6}]",
            "monthlyOccurrences[0].occurrence: 6 must be a whole number from -5 to 5"),
        scheduled(
            "month",
            "`monthlyOccurrences`:[{`day`:`Friday`}]",
            "`monthlyOccurrences`:[{`day`:`Friday`,`occurrence`:0}]",
            "monthlyOccurrences[0].occurrence: 0 must be in -5..-1 or 1..5"),
        scheduled(
            "month",
            "`monthlyOccurrences`:{`day`:`friday`,`occurrence`:-1}",
            "`monthlyOccurrences`:[{`occurrence`:-1}]",
            "monthlyOccurrences[0].day: is missing"),
        scheduled(
            "week",
            "`weekDays`:[`monday`,`tuesday`,`Wednesday`,`thursday`,`friday`,`saturday`,`sunday`]",
            "`weekDays`:[`monday`,`tuesday`,`wednesday`,`thursday`,`friday`,`saturday`,`sunday`,`monday`]",
            "weekDays: must have at most 7 days, not 8"),
        scheduled(
            "week",
            "`weekDays`:`Monday`",
            "`weekDays`:[]",
            "weekDays: must not be empty; leave it out instead"),
        new Rule(
            "empty schedule",
            schedule("week", "`minutes`:[1]"),
            schedule("week", ""),
            "recurrence.schedule: must not be empty; leave it out instead"));
  }

  private static Rule scheduled(String frequency, String fits, String exceeds, String message) {
    return new Rule(
        exceeds,
        schedule(frequency, fits),
        schedule(frequency, exceeds),
        "recurrence.schedule." + message);
  }

  /**
   * Returns fields that are valid only with one frequency. Every other frequency is refused with
   * the service's message.
   */
  private static List<Rule> combinations(Dialect dialect) {
    return Stream.of(
            List.of("week", "`weekDays`:[`monday`]", "days of week"),
            List.of("month", "`monthDays`:[1]", "days of month"),
            List.of(
                "month",
                "`monthlyOccurrences`:[{`day`:`monday`,`occurrence`:1}]",
                "monthly occurrences"))
        .flatMap(
            field ->
                Stream.of("Minute", "Hour", "Day", "Week", "Month", "Year")
                    .filter(unit -> !unit.equalsIgnoreCase(field.get(0)))
                    .map(
                        unit ->
                            new Rule(
                                field.get(2) + " with " + unit,
                                schedule(field.get(0), field.get(1)),
                                schedule(unit, field.get(1)),
                                dialect.equals(ArmEnvelope.DIALECT)
                                    ? "Cannot set "
                                        + field.get(2)
                                        + " with recurrence unit '"
                                        + unit
                                        + "'."
                                    : misplaced(field, unit))))
        .toList();
  }

  private static String misplaced(List<String> field, String unit) {
    return "recurrence.schedule."
        + field.get(1).split("`", -1)[1]
        + ": does not go with frequency '"
        + unit.toLowerCase(Locale.ROOT)
        + "', only with "
        + field.get(0);
  }

  private static List<Rule> retries() {
    return List.of(
        retry(
            "`retryCount`:20",
            "`retryCount`:21",
            "retryCount: 21 must be a whole number from 0 to 20"),
        retry(
            "`retryCount`:0",
            "`retryCount`:-1",
            "retryCount: -1 must be a whole number from 0 to 20"),
        retry(
            "`retryInterval`:`PT1S`",
            "`retryInterval`:`00:00:00.9`",
            "retryInterval: '00:00:00.9' must be at least PT1S"),
        retry(
            "`retryInterval`:`550.00:00:00`",
            "`retryInterval`:`P550DT1S`",
            "retryInterval: 'P550DT1S' must be at most 550 days"));
  }

  private static Rule retry(String fits, String exceeds, String message) {
    Function<String, String> policy =
        values ->
            "{`action`:{`type`:`http`,`request`:{`uri`:`http://h/`,`method`:`GET`},"
                + "`retryPolicy`:{`retryType`:`Fixed`,"
                + values
                + "}}}";
    return new Rule(
        exceeds, policy.apply(fits), policy.apply(exceeds), "action.retryPolicy." + message);
  }

  private static String job(String beginning) {
    return "{"
        + beginning
        + "`action`:{`type`:`http`,`request`:{`uri`:`http://h/`,`method`:`GET`}}}";
  }

  private static String request(String request) {
    return "{`action`:{`type`:`http`,`request`:{" + request + "}}}";
  }

  private static String recurrence(String recurrence) {
    return job("`recurrence`:{" + recurrence + "},");
  }

  private static String schedule(String frequency, String schedule) {
    return recurrence("`frequency`:`" + frequency + "`,`schedule`:{" + schedule + "}");
  }
}
