package carillon.dispatch.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.IDN;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Hosts as clients name them. */
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

  private static final Pattern NAME =
      Pattern.compile(
          "([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\\.)*[a-z_]([a-z0-9_-]{0,61}[a-z0-9_])?");
  private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");
  private static final String BYTE = "(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
  private static final Pattern DOTTED_QUAD = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");

  /** The rules once more, as regular expressions. */
  private static String expected(String text) {
    String name;
    try {
      name = IDN.toASCII(text, 0).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return "is not a host name";
    }
    name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    if (ENDS_IN_NUMBER.matcher(name).matches()) {
      return DOTTED_QUAD.matcher(name).matches()
          ? name + " /" + name
          : "is neither a name nor an address of four decimal numbers without leading zeros";
    }
    return name.length() <= 253 && NAME.matcher(name).matches() ? name : "is not a host name";
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
