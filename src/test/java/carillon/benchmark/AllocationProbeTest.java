package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class AllocationProbeTest {
  @Test
  void aProgramThatWorksAllocates() throws IOException {
    try (RedisServer redis = RedisServer.startWithPort();
        ChildProcess server =
            ChildProcess.start(
                ChildProcess.classPath(),
                BaselineMain.class.getName(),
                BaselineMain.LISTENING,
                Map.of(),
                List.of("storing", redis.uri().toString(), "bare:"))) {
      server.awaitMarker();
      try (AllocationProbe probe = AllocationProbe.attach(server.pid())) {
        long before = probe.bytes();

        assertTrue(before > 100_000, () -> before + " bytes");
        assertTrue(probe.bytes() - before < 100_000, "the questions are not counted");
      }
    }
  }
}
