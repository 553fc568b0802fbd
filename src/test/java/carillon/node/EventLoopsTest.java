package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventLoopsTest {
  @ParameterizedTest
  @CsvSource({
    "0, false, 4, 4",
    "0, true, 4, 3",
    "0, true, 2, 1",
    "0, true, 1, 1",
    "0, false, 1, 1",
    "3, true, 2, 3"
  })
  void redisOnTheSameMachineHasAProcessorUnlessTheSettingsSayOtherwise(
      int configured, boolean isRedisHere, int processors, int expected) {
    assertEquals(expected, EventLoops.count(configured, isRedisHere, processors));
  }

  @ParameterizedTest
  @CsvSource({
    "redis://127.0.0.1:6379, true",
    "redis://localhost:6379, true",
    "rediss://[::1]:6379, true",
    "unix:///run/redis.sock, true",
    "redis://192.0.2.1:6379, false",
    "redis://no-such-host.invalid:6379, false"
  })
  void addressesTellWhetherAServerIsOnThisMachine(URI server, boolean expected) {
    assertEquals(expected, EventLoops.isHere(List.of(server)));
  }
}
