package carillon.job.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the parts of the URI of a call. */
class HttpTargetTest {
  private static final List<String> PIECES =
      List.of(
          "http://",
          "https://",
          "HTTP://",
          "ftp://",
          "a",
          "B",
          "ab-c",
          "example",
          ".",
          "..",
          "-",
          "_",
          "0",
          "7",
          "127.0.0.1",
          "256.1.1.1",
          "01.2.3.4",
          "1.2.3",
          ":",
          "80",
          ":80",
          ":0",
          ":65535",
          ":65536",
          ":99999999999",
          "/",
          "//",
          "path",
          "?",
          "a=b",
          "&",
          "=",
          "%41",
          "%",
          "%4",
          "#",
          "#f",
          "@",
          "u:p@",
          "[::1]",
          "[",
          "]",
          "{",
          "}",
          "|",
          "\\",
          "^",
          "`",
          "\"",
          "<",
          " ",
          "~",
          "!$'()*+,;",
          "é",
          "\u0000",
          "\u007f");

  /** Returns the result, or the rule that the text breaks. */
  private static String outcome(Function<String, HttpTarget> parser, String text) {
    try {
      return parser.apply(text).toString();
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  @Test
  void plainUrisAreReadAsAllOthersAre() {
    Random random = new Random(4711);
    int read = 0;
    for (int i = 0; i < 300_000; i++) {
      StringBuilder text = new StringBuilder(random.nextInt(8) == 0 ? "" : "http://");
      for (int piece = random.nextInt(9); piece > 0; piece--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      String expected = outcome(HttpTarget::parseAny, text.toString());
      assertEquals(expected, outcome(HttpTarget::parse, text.toString()), text::toString);
      read += expected.startsWith("HttpTarget") ? 1 : 0;
    }
    assertTrue(read > 1_000, "only " + read + " of them were URIs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com",
        "https://example.com/",
        "http://a.b-c.d1:8080/x/y?z=1&y=(2)?/;:@",
        "http://127.0.0.1:9/t",
        "https://h:443/?",
        "http://255.255.255.255/",
        "http://h/a//b/../c"
      })
  void eachPartComesOutAsItStands(String uri) {
    assertEquals(HttpTarget.parseAny(uri), HttpTarget.parse(uri));
  }
}
