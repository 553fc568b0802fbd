package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.CallbackServer.Call;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Herds to several destinations that hang and resume at random. The clock stands still, so no
 * deferred attempt comes back automatically. Each is still called once as soon as there are places.
 */
class CrowdedDestinationsWalkTest extends EngineFixture {
  private static final int PLACES = 4;
  private static final int TARGETS = 6;
  private static final int STEPS = 25;

  private final List<CallbackServer> targets =
      Stream.generate(CallbackServer::new).limit(TARGETS).toList();

  private final BitSet held = new BitSet();

  @Override
  Settings settings() {
    return EngineSettings.with(
        "dispatch.maxPerDestination=" + PLACES, "dispatch.maxInFlight=" + 3 * PLACES * TARGETS);
  }

  @AfterEach
  void stopTargets() {
    targets.forEach(CallbackServer::close);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whatWaitsIsCalledOnceWithoutTimePassing(long seed) {
    Random random = new Random(seed);
    int[] jobs = new int[TARGETS];
    for (int step = 0; step < STEPS; step++) {
      int index = random.nextInt(TARGETS);
      CallbackServer one = targets.get(index);
      toggle(index);
      int more = random.nextInt(3) == 0 ? random.nextInt(200) : random.nextInt(10);
      for (int i = 0; i < more; i++) {
        String name = "j" + index + "-" + jobs[index]++;
        engine.put(name, JobJson.get(one.url("/" + name)).startTime(NOON).json());
      }
      engine.poll();
    }

    held.stream().boxed().toList().forEach(this::toggle);

    Await.until(
        "all calls",
        () -> targets.stream().mapToInt(CrowdedDestinationsWalkTest::calls).sum() >= sum(jobs));
    engine.awaitIdle();
    for (int i = 0; i < TARGETS; i++) {
      CallbackServer one = targets.get(i);
      assertEquals(jobs[i], calls(one), "target " + i);
      assertEquals(jobs[i], one.calls().stream().map(Call::path).distinct().count(), "target " + i);
      assertTrue(one.mostAtOnce() <= PLACES, "at once: " + one.mostAtOnce());
    }
  }

  private void toggle(int index) {
    if (held.get(index)) {
      targets.get(index).release();
    } else {
      targets.get(index).hold();
    }
    held.flip(index);
  }

  private static int calls(CallbackServer one) {
    return one.calls().size();
  }

  private static int sum(int[] numbers) {
    return Arrays.stream(numbers).sum();
  }
}
