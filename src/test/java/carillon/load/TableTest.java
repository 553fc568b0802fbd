package carillon.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table = new Table(List.of("what", "n"));

  @Test
  void markdownHasColumnsOfOneWidth() {
    table.add(List.of("a", "1,000"));

    assertEquals(List.of("| what | n     |", "|---|---|", "| a    | 1,000 |"), table.markdown());
  }

  @Test
  void numbersOfATextAreSetToTheRight() {
    table.add(List.of("a", "1,000"));

    assertEquals(List.of("what      n", "-----------", "a     1,000"), table.lines());
  }

  @Test
  void aRowOfAnotherWidthIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> table.add(List.of("c")));
  }
}
