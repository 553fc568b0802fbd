package carillon.observe.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.action.Destination;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import org.junit.jupiter.api.Test;

/** Tests of labels when there are fewer labels than destinations. */
class BoundedMetersTest {
  private static final int MAX_LABELS = 20;

  private final Counter counter = Counter.builder().name("failures").labelNames("at").build();
  private final BoundedMeters<Destination, CounterDataPoint> failures =
      new BoundedMeters<>(MAX_LABELS, Destination::authority, counter::labelValues);

  private void fail(String collection, int destinations) {
    for (int i = 0; i < destinations; i++) {
      failures.of(new Destination(collection + i, 80), collection).inc();
    }
  }

  private double counted(String label) {
    return counter.labelValues(label).get();
  }

  @Test
  void aCollectionThatCallsEverywhereLeavesLabelsToOthers() {
    fail("greedy", 1000);
    fail("modest", 2);

    assertEquals(1, counted("greedy9:80"));
    assertEquals(1, counted("modest0:80"));
    assertEquals(1, counted("modest1:80"));
    assertEquals(990, counted("other"));
  }

  @Test
  void beyondHalfOfTheLabelsACollectionGetsATenthOfAll() {
    fail("greedy", MAX_LABELS / 2);
    fail("other-one", 5);

    assertEquals(1, counted("other-one1:80"));
    assertEquals(3, counted("other"));
  }

  @Test
  void noMoreLabelsThanAskedForAreMadeAndKnownOnesGoOn() {
    for (int i = 0; i < 30; i++) {
      fail("c" + i, 1);
      fail("c" + i, 1);
    }

    assertEquals(2, counted("c19" + "0:80"));
    assertEquals(20, counted("other"));
  }

  @Test
  void aPlaceWithoutAPortIsItsHostAlone() {
    failures.of(new Destination("2001:db8::1", 80), "c").inc();
    failures.of(new Destination("queue", 0), "c").inc();

    assertEquals(1, counted("[2001:db8::1]:80"));
    assertEquals(1, counted("queue"));
  }
}
