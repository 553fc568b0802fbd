package carillon.engine;

import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowName;
import carillon.flow.FlowState;
import carillon.job.Precondition;
import carillon.json.view.FlowCodec;
import carillon.support.Await;
import carillon.support.JobJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Engine with the flow {@code crm}, ten seconds before noon. */
abstract class FlowFixture extends EngineFixture {
  static final FlowName CRM = new FlowName("default", "default", "crm");

  @Override
  Instant begin() {
    return NOON.minusSeconds(10);
  }

  void flow(String definition) {
    flow(definition, Optional.empty());
  }

  void flow(String definition, Optional<FlowPause> pause) {
    byte[] json = definition.replace('`', '"').getBytes(StandardCharsets.UTF_8);
    engine.stores(
        stores ->
            stores
                .resource()
                .flows()
                .put(CRM, FlowCodec.read(json, CRM), pause, Precondition.NONE, clock.instant()));
    engine.lookAtFlows();
  }

  FlowState state() {
    return engine.stores(stores -> stores.resource().flows().state(CRM, clock.instant()));
  }

  static String inFlow(JobJson job) {
    return job.json().replace("\"action\":{", "\"action\":{\"flow\":\"crm\",");
  }

  static String millis(Instant instant) {
    return Long.toString(instant.toEpochMilli());
  }

  void awaitWaiting(long count) {
    Await.until(count + " wait", () -> state().waiting() == count);
  }
}
