package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.flow.FlowName;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.Reason;
import carillon.job.HistoryEntry.Status;
import carillon.job.JobState;
import carillon.job.Precondition;
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
 * What a change of a job counts whose occurrence is claimed and waits for a place at a slow
 * destination, or for a flow: nothing waits after it, so it counts as begun. It is never performed
 * once more than {@code count} says, and each occurrence is called or has its entry.
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

  /** The only place is taken; the first of two occurrences is claimed. */
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

  /** So long its place is not free that it goes back to what is due. */
  private void awaitPutOff() {
    engine.pass(Duration.ofSeconds(6));
    engine.beat();
    Await.until(
        "it is put off", () -> engine.due().stream().anyMatch(member -> member.startsWith("run:")));
  }

  /** Time passes until the job has ended. */
  private void letItEnd() {
    Await.until(
        "the job to end",
        () -> {
          clock.advance(Duration.ofSeconds(1));
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
