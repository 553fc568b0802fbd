package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import carillon.support.CarillonProcess;
import carillon.support.RedisServer;
import carillon.support.StoredDump;
import org.junit.jupiter.api.Test;

/** A Redis of format 1, which no release wrote. */
class FirstFormatIT extends ProcessTestBase {
  private static final String REFUSAL =
      "what is stored in Redis is of format 1; this Carillon reads from 2 on: export the jobs with"
          + " the program that wrote it ('java -jar carillon-OLD.jar export --carry-on --output"
          + " jobs.ndjson', beside its node) and import them with this one into an empty Redis"
          + " ('java -jar carillon.jar import jobs.ndjson')\n";

  @Test
  void aNodeAndFsckRefuseItInOneLineAndWriteNothing() {
    try (RedisServer redis = RedisServer.start()) {
      StoredDump.load("1.jsonl", redis);
      String before = redis.dump();

      CarillonProcess.Exit node = run(on(redis));
      CarillonProcess.Exit fsck = run(on(redis), "fsck", "--repair");

      assertNotEquals(0, node.code());
      assertEquals("carillon: cannot start: " + REFUSAL, node.err());
      assertEquals(3, fsck.code());
      assertEquals("carillon: " + REFUSAL, fsck.err());
      assertEquals(before, redis.dump());
    }
  }
}
