package carillon.dispatch.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.IDN;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Test of hosts as clients write them. */
class HostTest {
  private static final List<String> PIECES =
      List.of(
          "a",
          "b1",
          "1b",
          "A",
          "xn--",
          "xn--bcher-kva",
          "ß",
          "é",
          "_",
          "!",
          "~",
          "-",
          ".",
          "..",
          "0",
          "00",
          "01",
          "1",
          "127",
          "255",
          "256",
          "0x7f",
          "10.0.0.",
          "127.0.0.1",
          "localhost",
          "%",
          " ",
          "/",
          "a".repeat(63),
          "a".repeat(64),
          "a.".repeat(60));

  private static final String LABEL = "[a-z0-9_!~-]{1,63}";
  private static final Pattern NAME = Pattern.compile("(" + LABEL + "\\.)*" + LABEL);
  private static final String TOO_LONG =
      "is not a host name: labels have 1 to 63 characters, and all of them up to 253";
  private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");
  private static final String BYTE = "(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
  private static final Pattern DOTTED_QUAD = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");

  /** Returns the expected result: the same rules as regular expressions. */
  private static String expected(String text) {
    if (text.matches(".*[ß% /].*")) {
      return "is not a host name";
    }
    String name = text;
    try {
      name = text.matches("\\p{ASCII}*") ? text : IDN.toASCII(text, 0);
    } catch (IllegalArgumentException e) {
      return "is not a host name";
    }
    name = name.toLowerCase(Locale.ROOT);
    name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    if (ENDS_IN_NUMBER.matcher(name).matches()) {
      return DOTTED_QUAD.matcher(name).matches()
          ? name + " /" + name
          : "is neither a name nor an address of four decimal numbers without leading zeros";
    }
    return name.length() <= 253 && NAME.matcher(name).matches() ? name : TOO_LONG;
  }

  private static String outcome(String text) {
    try {
      Host host = Host.parse(text);
      return host.text() + host.literal().map(address -> " " + address).orElse("");
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  @Test
  void namesAndNumbersAreToldApart() {
    Random random = new Random(4711);
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int piece = random.nextInt(8); piece > 0; piece--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
        text.append(random.nextBoolean() ? "." : "");
      }
      String expected = expected(text.toString());
      assertEquals(expected, outcome(text.toString()), text::toString);
      read += expected.startsWith("is ") ? 0 : 1;
    }
    assertTrue(read > 1_000, "only " + read + " of them were hosts");
  }
}
