package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.flow.Flow.FlowPause;
import carillon.job.Precondition;
import carillon.store.job.UpcomingWork;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.JobJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests that attempts pass a flow in the order of their due instants, minus a lead for priority.
 */
class FlowPriorityTest extends FlowFixture {
  private void putWithPriority(String job, int minutes, int priority) {
    engine.put(
        job,
        inFlow(
            JobJson.get(target.url("/" + job))
                .startTime(NOON.plus(Duration.ofMinutes(minutes)))
                .with("priority", priority)));
  }

  private void pause() {
    flow(
        "{`parallelism`:1}",
        Optional.of(new FlowPause(NOON, "test", Optional.empty(), Optional.empty())));
  }

  /**
   * Puts jobs that are due at noon and 12, 20 and 25 minutes later, with their place in line at 10,
   * 22, 20 and 15.
   */
  private void putAllPriorities() {
    putWithPriority("lag", 0, -10);
    putWithPriority("calm", 12, -10);
    putWithPriority("fresh", 20, 0);
    putWithPriority("urgent", 25, 10);
    for (int minutes : List.of(0, 12, 20, 25)) {
      engine.stepTo(NOON.plus(Duration.ofMinutes(minutes)));
    }
    awaitWaiting(4);
  }

  @Test
  void aPriorityIsALeadOfSoManyMinutes() {
    pause();
    putAllPriorities();

    flow("{`parallelism`:1}");
    target.awaitCalls(4);
    engine.awaitIdle();

    assertEquals(
        List.of("/lag", "/urgent", "/fresh", "/calm"),
        target.calls().stream().map(CallbackServer.Call::path).toList());
  }

  @Test
  void whatWaitsWithAPriorityIsToldWithTheInstantAtWhichItWasDue() {
    pause();
    putAllPriorities();

    assertEquals(Optional.of(NOON), state().oldest());
    assertEquals(
        List.of("lag 0", "calm 12", "fresh 20", "urgent 25"),
        engine.stores(stores -> stores.job().upcomingWork().earliest(10)).stream()
            .filter(waiting -> waiting.kind() == UpcomingWork.Kind.WAITING)
            .map(
                waiting ->
                    waiting.job().substring(waiting.job().lastIndexOf('/') + 1)
                        + " "
                        + Duration.between(NOON, waiting.due()).toMinutes())
            .toList());
  }

  @Test
  void withoutItsFlowNothingWaitsForItsPriority() {
    pause();
    putWithPriority("lag", 0, -10);
    engine.stepTo(NOON);
    awaitWaiting(1);

    engine.stores(
        stores -> stores.resource().flows().delete(CRM, Precondition.NONE, clock.instant()));
    engine.lookAtFlows();
    Await.until(
        "the call",
        () -> {
          engine.poll();
          return target.calls().size() == 1;
        });

    assertEquals(NOON, clock.instant());
  }
}
