package carillon.job.action;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with the examples of W3C Trace Context. */
class TraceContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @Test
  void aChildIsANewSpanOfTheSameTrace() {
    TraceContext context = TraceContext.of(PARENT, "congo=t61rcWkgMzE").orElseThrow();

    assertEquals(
        new TraceContext("00-" + TRACE + "-00000000000000ff-01", "congo=t61rcWkgMzE"),
        context.child(255));
    assertEquals("00-" + TRACE + "-ffffffffffffffff-01", context.child(-1).parent());
    assertEquals("00-" + TRACE + "-0000000000000001-01", context.child(0).parent());
  }

  @Test
  void aLaterVersionIsReadAsTheFirst() {
    TraceContext context =
        TraceContext.of("cc-" + TRACE + "-00f067aa0ba902b7-01-what-the-future-is", "")
            .orElseThrow();

    assertEquals("00-" + TRACE + "-0000000000000005-01", context.child(5).parent());
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x"
      })
  void whatBreaksTheStandardIsIgnored(String parent) {
    assertEquals(Optional.empty(), TraceContext.of(parent, "a=b"));
  }

  @Test
  void aStateThatIsTooLongOrNotPrintableIsDropped() {
    assertEquals("", TraceContext.of(PARENT, "a".repeat(513)).orElseThrow().state());
    assertEquals("", TraceContext.of(PARENT, "a=\u00e4").orElseThrow().state());
    assertEquals("", TraceContext.of(PARENT, null).orElseThrow().state());
  }

  @Test
  void aTracedCallKeepsItsAuthentication() {
    Authentication basic = new Authentication.Basic("u", new Secret("p"));
    HttpCall call =
        new HttpCall(
            false, "https://example.org/", "GET", Map.of(), Optional.empty(), Optional.of(basic));

    HttpCall traced =
        call.traced(
            new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", ""));

    assertEquals(Optional.of(basic), traced.authentication());
    assertEquals(Set.of("traceparent"), traced.headers().keySet());
  }
}
