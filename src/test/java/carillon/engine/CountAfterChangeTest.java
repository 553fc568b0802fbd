package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.flow.FlowName;
import carillon.job.Precondition;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.name.JobState;
import carillon.json.view.FlowCodec;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the count after a change of a job whose occurrence is claimed. The occurrence waits for
 * a place at a slow destination, or for a flow. No other waits after it, so it counts as begun. The
 * job never runs more often than {@code count} says. Each occurrence is called or has its entry.
 */
class CountAfterChangeTest extends EngineFixture {
  private final CallbackServer other = new CallbackServer();

  @AfterEach
  void stopOther() {
    other.close();
  }

  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxPerDestination=1");
  }

  /** The only place is taken. The first of two occurrences is claimed. */
  private void claimBehindAnother() {
    target.hold();
    engine.put("first", JobJson.get(target.url("/first")).startTime(NOON).noRetry().json());
    engine.poll();
    target.awaitCalls(1);
    engine.put("j", j("/j"));
    clock.advance(Duration.ofSeconds(1));
    engine.poll();
    Await.until("a claim that waits", () -> engine.claims() == 2);
  }

  private String j(String path) {
    return JobJson.get(target.url(path))
        .startTime(NOON.plusSeconds(1))
        .noRetry()
        .recurrence("{\"frequency\":\"second\",\"interval\":10,\"count\":2}")
        .json();
  }

  /** Waits so long without a free place that the occurrence returns to the due jobs. */
  private void awaitPutOff() {
    engine.pass(Duration.ofSeconds(6));
    engine.beat();
    Await.until(
        "it is put off", () -> engine.due().stream().anyMatch(member -> member.startsWith("run:")));
  }

  /**
   * Lets time pass slowly until the job has ended, because a flow passes a place on in real time.
   */
  private void letItEnd() {
    Await.until(
        "the job to end",
        () -> {
          clock.advance(Duration.ofMillis(100));
          engine.poll();
          return engine.get("j").state().isFinal();
        });
    engine.awaitIdle();
  }

  @Test
  void whatIsPutOffWhenTheJobIsChangedCountsAsBegunAndHasItsEntry() {
    claimBehindAnother();
    awaitPutOff();

    engine.setState("j", JobState.DISABLED);
    engine.setState("j", JobState.ENABLED);
    target.release();
    letItEnd();

    assertEquals(1, target.calls("/j").size());
    assertSkippedAsChanged();
  }

  private void assertSkippedAsChanged() {
    List<HistoryEntry> history = engine.history("j");
    assertEquals(
        List.of(Status.COMPLETED, Status.SKIPPED),
        history.stream().map(HistoryEntry::status).sorted().toList());
    assertTrue(
        history.stream()
            .anyMatch(
                entry ->
                    entry.reason().equals(Optional.of(Reason.CHANGED))
                        && entry.dueAt().equals(NOON.plusSeconds(1))));
  }

  @Test
  void whatWaitsForAFlowWhenTheJobIsChangedCountsAsBegunAndHasItsEntry() {
    FlowName flow = new FlowName("default", "default", "crm");
    byte[] definition = "{\"parallelism\":1}".getBytes(StandardCharsets.UTF_8);
    engine.stores(
        stores ->
            stores
                .resource()
                .flows()
                .put(
                    flow,
                    FlowCodec.read(definition, flow),
                    Optional.empty(),
                    Precondition.NONE,
                    clock.instant()));
    engine.lookAtFlows();
    other.hold();
    engine.put("first", inFlow(JobJson.get(other.url("/first")).startTime(NOON).noRetry().json()));
    engine.poll();
    other.awaitCalls(1);
    engine.put("j", inFlow(j("/j")));
    clock.advance(Duration.ofSeconds(1));
    engine.poll();
    Await.until(
        "one that waits",
        () -> engine.stores(s -> s.resource().flows().state(flow, clock.instant())).waiting() == 1);

    engine.setState("j", JobState.DISABLED);
    engine.setState("j", JobState.ENABLED);
    other.release();
    letItEnd();

    assertEquals(1, target.calls("/j").size());
    assertSkippedAsChanged();
  }

  private static String inFlow(String job) {
    return job.replace("\"action\":{", "\"action\":{\"flow\":\"crm\",");
  }

  @Test
  void withoutAChangeWhatIsPutOffIsPerformed() {
    claimBehindAnother();
    awaitPutOff();

    target.release();
    letItEnd();

    assertEquals(2, target.calls("/j").size());
  }
}
