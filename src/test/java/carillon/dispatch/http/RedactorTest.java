package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("alone")
class RedactorTest {
  private static final String SECRET = "canary 1+/=\"ä<&>";

  private static String redacted(String text, String... secrets) {
    return Redactor.of(List.of(secrets)).redact(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "canary 1+/=\"ä<&>",
        "canary%201%2B%2F%3D%22%C3%A4%3C%26%3E",
        "canary%201%2b%2f%3d%22%c3%a4%3c%26%3e",
        "%63a%6Eary 1+/=%22ä<&>",
        "%63%61%6e%61%72%79%20%31%2B%2F%3D%22%C3%A4%3C%26%3E",
        "canary+1%2B%2F%3D%22%C3%A4%3C%26%3E",
        "canary%25201%252B%252F%253D%2522%25C3%25A4%253C%2526%253E",
        "canary%201%2B%2F%3D%22%E4%3C%26%3E",
        "canary 1+/=&quot;ä&lt;&amp;&gt;",
        "canary&#32;1&#43;&#x2F;&#x3d;&#0034;&#xE4;&lt;&amp;&gt;",
        "canary 1&plus;&sol;&equals;&quot;ä&lt;&amp;&gt;",
        "canary 1+\\/=\\\"ä<&>",
        "canary 1+/=\\u0022\\u00e4\\u003C\\u0026\\u003e",
        "canary%201+%5C/=%5C%22%C3%A4<&>",
      })
  void theEncodingsOfASecretAreHidden(String echo) {
    assertEquals("a ***, b", redacted("a " + echo + ", b", SECRET));
    assertEquals("%41&amp;\\n+***%", redacted("%41&amp;\\n+" + echo + "%", SECRET));
  }

  @Test
  void whatLatin1MakesOfASecretIsHidden() {
    String garbled =
        new String(SECRET.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);

    assertEquals("a *** b", redacted("a " + garbled + " b", SECRET));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cana", "canar", "canary", "canary?>~", SECRET, "ÿÿÿÿ\uD83D\uDE00~~"})
  void base64OfASecretIsHiddenWhereverItStands(String secret) {
    for (String before : List.of("", "u", "u:", "u:p", "Bearer ")) {
      for (String after : List.of("", "x", "xy", "xyz")) {
        byte[] all = (before + secret + after).getBytes(StandardCharsets.UTF_8);
        for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
          for (String text :
              List.of(
                  encoder.encodeToString(all),
                  encoder.withoutPadding().encodeToString(all),
                  URLEncoder.encode(encoder.encodeToString(all), StandardCharsets.UTF_8))) {
            String hidden = redacted("[" + text + "]", secret);
            int chars = secret.getBytes(StandardCharsets.UTF_8).length * 8 / 6;
            int left = hidden.replace("***", "").length();
            assertEquals(1, (hidden.length() - left) / 3, text + " -> " + hidden);
            assertFalse(left > text.length() + 2 - chars, text + " -> " + hidden);
          }
        }
      }
    }
  }

  @Test
  void base64OfASecretAloneIsHiddenWithItsPadding() {
    assertEquals("[***]", redacted("[Y2FuYQ==]", "cana"));
    assertEquals("[***]", redacted("[Y2FuYQ%3D%3D]", "cana"));
    assertEquals("[***]", redacted("[Y2FuYQ]", "cana"));
    assertEquals("[***]", redacted("[Y2FuYXI=]", "canar"));
  }

  @ParameterizedTest
  @CsvSource({
    "a canary b canary, a *** b ***",
    "canarycanary, ******",
    "canary-1canary-2, ******",
    "canary-1-2-1, ***-2-1",
    "can%61ry, ***",
    "canar, canar",
    "%ZZcanary%, %ZZ***%",
    "&#xFFFFFFFF;&#;&x;canary&, &#xFFFFFFFF;&#;&x;***&",
    "\\ud83d\\u12canary\\, \\ud83d\\u12***\\",
  })
  void nothingElseIs(String text, String hidden) {
    assertEquals(hidden, redacted(text, "canary-1", "canary-2", "canary", "-1", ""));
  }

  @Test
  void overlappingSecretsAreOneMask() {
    assertEquals("a *** b", redacted("a Bearer canary b", "canary", "Bearer canary"));
    assertEquals("***", redacted("canary-canary", "canary-c", "-canary"));
  }

  @Test
  void aTextWithoutSecretsIsTheSame() {
    String text = "a %41 &amp; \\u0041 + ä \uD83D\uDE00";

    assertSame(text, redacted(text, SECRET));
    assertSame(text, redacted(text));
    assertEquals("", redacted("", SECRET));
  }

  @Test
  void nestedEscapesCostLittle() {
    Random random = new Random(7);
    String escapes = "%25&amp;\\\\+\\u0025%26#37;";
    StringBuilder text = new StringBuilder();
    while (text.length() < 1 << 16) {
      text.append(escapes, 0, random.nextInt(escapes.length()));
    }
    long start = System.nanoTime();

    redacted(text.toString(), SECRET, "%25%25%25%25", "&amp;&amp;&amp;");

    long millis = (System.nanoTime() - start) / 1_000_000;
    assertFalse(millis > 2_000, () -> millis + " ms");
  }
}
