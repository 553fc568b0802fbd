package carillon.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of tables and of their cells. */
class TextTableTest {
  @Test
  void aTableGrowsWithItsCellsAndHoldsNoControlCharacters() {
    TextTable table = new TextTable(List.of("name", "what"), Integer.MAX_VALUE, false);
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);

    table.add(List.of("a", "\u001b[31mred"));
    table.print(out);
    table.add(List.of("longer", ""));
    table.add(List.of("c1, bidi", "\u009b31mred \u202egnp.exe"));
    table.print(out);

    assertEquals(
        "NAME  WHAT\na      [31mred\nlonger    -\nc1, bidi   31mred  gnp.exe\n", text.toString());
  }

  @Test
  void aDurationIsShownInItsTwoLargestUnits() {
    assertEquals("0ms", TextTable.duration(Duration.ofNanos(-1)));
    assertEquals("-7ms", TextTable.duration(Duration.ofMillis(-7)));
    assertEquals("12.4s", TextTable.duration(Duration.ofMillis(12_400)));
    assertEquals("1m 2s", TextTable.duration(Duration.ofSeconds(62)));
    assertEquals("10h 59m", TextTable.duration(Duration.ofMinutes(659)));
    assertEquals("41d 0h", TextTable.duration(Duration.ofDays(41)));
  }
}
