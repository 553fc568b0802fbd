package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CarillonProcess;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Test of the command fsck of the packaged program. */
class FsckIT extends ProcessTestBase {

  @Test
  void findsAndRepairsBesideARunningNodeAndWithoutOne() {
    Instant later = Instant.parse("2030-01-01T00:00:00Z");
    try (CarillonProcess node = start("CARILLON_PARTITIONS", "1")) {
      node.send("PUT", Jobs.PATH + "j", Jobs.once("http://127.0.0.1:9/", later));
      node.redis().ask("DEL carillon:{0}:due");

      CarillonProcess.Exit found = run(Map.of(), "fsck");
      assertEquals(1, found.code(), () -> found.out() + found.err());
      assertTrue(
          found
              .out()
              .startsWith(
                  "found not-due carillon:{0}:due job:default/default/default/j: expected "
                      + later
                      + ", found nothing\nchecked 1 job, "),
          found.out());

      CarillonProcess.Exit repaired = run(Map.of(), "fsck", "--repair", "--json");
      assertEquals(0, repaired.code(), () -> repaired.out() + repaired.err());
      assertTrue(
          repaired.out().startsWith("{\"outcome\":\"repaired\",\"kind\":\"not-due\","),
          repaired.out());
      assertEquals(2, repaired.out().lines().count(), repaired.out());
      node.terminate();
    }

    CarillonProcess.Exit clean = run(Map.of(), "fsck");

    assertEquals(0, clean.code(), () -> clean.out() + clean.err());
    assertTrue(clean.out().endsWith(": nothing found\n"), clean.out());
  }

  @Test
  void aRedisThatCannotBeReachedIsSaidInOneLine() {
    CarillonProcess.Exit exit = run(Map.of("CARILLON_REDIS_URI", "redis://127.0.0.1:1"), "fsck");

    assertEquals(3, exit.code());
    assertEquals(1, exit.err().lines().count(), exit.err());
    assertTrue(exit.err().startsWith("carillon: Redis at redis.uri"), exit.err());
  }
}
