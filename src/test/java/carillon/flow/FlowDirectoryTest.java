package carillon.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.job.action.Action;
import carillon.job.action.Destination;
import carillon.job.name.CollectionPattern;
import carillon.job.name.JobKey;
import carillon.json.StoredJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowDirectoryTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private static Flow flow(String path, String... match) {
    return new Flow(
        FlowName.parse(path),
        new FlowDefinition(
            Stream.of(match).map(HostPattern::parse).toList(),
            List.of(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            true),
        Optional.empty(),
        1,
        NOON,
        NOON);
  }

  private static Action call(String uri, Optional<String> flow) {
    Action plain =
        StoredJson.readJob(
                new JobKey("s/g/c/j"),
                "{\"action\":{\"type\":\"http\",\"request\":{\"uri\":\""
                    + uri
                    + "\",\"method\":\"GET\"}}}")
            .action();
    return new Action(
        plain.call(), plain.retryPolicy(), Optional.empty(), Optional.empty(), flow, false);
  }

  private final FlowDirectory flows =
      new FlowDirectory(
          List.of(
              flow("s/g/wide", "*.example"),
              flow("s/g/below", "*.crm.example"),
              flow("s/g/host", "api.crm.example"),
              flow("s/g/port", "api.crm.example:8443", "*.crm.example:99"),
              flow("s/g/Second", "api.erp.example"),
              flow("s/g/first", "API.erp.example"),
              flow("s/other/crm", "api.crm.example")));

  @ParameterizedTest
  @CsvSource({
    "http://api.crm.example/x, host",
    "http://API.CRM.example/x, host",
    "http://api.crm.example:8443/x, port",
    "http://www.crm.example/, below",
    "http://a.b.crm.example/, below",
    "http://www.crm.example:99/, port",
    "http://crm.example/, wide",
    "http://erp.example/, wide",
    "http://api.erp.example/, first",
    "http://example/, none",
    "http://api.crm.examples/, none",
    "http://10.0.0.1/, none",
  })
  void theMostExactPatternDecides(String uri, String flow) {
    assertEquals(
        flow,
        flows.of("s/g/c", call(uri, Optional.empty())).map(f -> f.name().flow()).orElse("none"));
  }

  /**
   * A team may stop the calls of its flow. The calls of other collections never pass this flow,
   * whatever their jobs name.
   */
  @ParameterizedTest
  @CsvSource({
    "'', orders-*, orders-eu, true",
    "'', orders-*, other, false",
    "'', *, other, true",
    "'', '', other, true",
    "erp.example, orders, other, true",
  })
  void aFlowOfCollectionsAloneIsPassedByNoOther(
      String match, String collections, String collection, boolean isPassed) {
    Flow plain = match.isEmpty() ? flow("s/g/own") : flow("s/g/own", match);
    Flow own =
        plain.with(
            plain
                .definition()
                .with(
                    Stream.of(collections)
                        .filter(pattern -> !pattern.isEmpty())
                        .map(CollectionPattern::parse)
                        .toList()));

    assertEquals(
        isPassed,
        new FlowDirectory(List.of(own))
            .of("s/g/" + collection, call("http://api.crm.example/", Optional.of("own")))
            .isPresent());
  }

  @ParameterizedTest
  @CsvSource({
    "api.crm.example, 80, true",
    "a.b.example, 1, true",
    "example, 80, false",
    "crm.test, 80, false"
  })
  void aDestinationIsMatchedWhereAFlowOfAnyGroupDoes(String host, int port, boolean isMatched) {
    assertEquals(isMatched, flows.isMatched(new Destination(host, port)));
    assertFalse(
        new FlowDirectory(List.of(flow("s/g/plain"))).isMatched(new Destination(host, port)));
  }

  @Test
  void theFlowThatAnActionNamesGoesBeforeItsDestination() {
    assertEquals(
        "Second",
        flows
            .of("s/g/c", call("http://api.crm.example/", Optional.of("SECOND")))
            .orElseThrow()
            .name()
            .flow());
  }

  @Test
  void aFlowThatIsGoneLimitsNothing() {
    assertEquals(
        Optional.empty(), flows.of("s/g/c", call("http://api.crm.example/", Optional.of("gone"))));
  }

  @Test
  void theFlowsOfAnotherGroupAreItsOwn() {
    assertEquals(
        "s/other/crm",
        flows
            .of("s/other/c", call("http://api.crm.example/", Optional.empty()))
            .orElseThrow()
            .name()
            .key());
    assertEquals(
        Optional.empty(), flows.of("s/third/c", call("http://api.crm.example/", Optional.empty())));
  }

  @Test
  void queuesOfOurOwnAreMatchedByTheirName() {
    assertEquals(true, HostPattern.parse("carillon-queue").matches(Destination.OWN_QUEUES));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api.crm.example",
        "*.crm.example",
        "*.crm.example:443",
        "10.0.0.1:80",
        "[::1]",
        "[::1]:80",
        "a_b.c-d"
      })
  void aPatternIsToldAsItWasGiven(String text) {
    assertEquals(text, HostPattern.parse(text).toString());
    assertEquals(
        HostPattern.parse(text), HostPattern.parse(text.toUpperCase(java.util.Locale.ROOT)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "*.",
        "a.*.b",
        "*a.b",
        "http://a",
        "a/b",
        "a:0",
        "a:65536",
        "a:",
        "a b",
        ".a",
        "a.",
        "a..b",
        "a%2Fb",
        "::1",
        "*.[::1]"
      })
  void whatIsNoPatternIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> HostPattern.parse(text));
  }

  /** A matcher that nests a call for each label would run out of stack. */
  @Test
  void aPatternIsNoLongerThanAHost() {
    String longest = "a.".repeat(126) + "b";

    assertEquals(longest, HostPattern.parse(longest).toString());
    for (String text : List.of(longest + "c", "a.".repeat(3000) + "b", "a.".repeat(300_000))) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> HostPattern.parse(text));
      assertEquals("must have at most 253 characters", refusal.getMessage());
    }
  }
}
