package carillon.cli.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Test of the import of an export. */
class ImporterTest {
  @Test
  void anImportKnowsTheLineBeforeWhichAllIsDone() {
    Importer.LineCheckpoint reached = new Importer.LineCheckpoint(1);
    assertEquals(0, reached.line());
    for (long line : new long[] {1, 2, 3}) {
      reached.begin(line);
    }
    reached.end(3);
    reached.end(1);
    assertEquals(1, reached.line());
    reached.end(2);
    assertEquals(3, reached.line());
  }
}
