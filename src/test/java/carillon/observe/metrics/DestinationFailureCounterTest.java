package carillon.observe.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.Destination;
import io.prometheus.metrics.core.metrics.Counter;
import org.junit.jupiter.api.Test;

/** Who gets a label, where there are fewer than destinations. */
class DestinationFailureCounterTest {
  private static final int MAX_LABELS = 20;

  private final Counter counter = Counter.builder().name("failures").labelNames("at").build();
  private final DestinationFailureCounter failures =
      new DestinationFailureCounter(counter, MAX_LABELS);

  private void fail(String collection, int destinations) {
    for (int i = 0; i < destinations; i++) {
      failures.count(new Destination(collection + i, 80), collection);
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
    failures.count(new Destination("2001:db8::1", 80), "c");
    failures.count(new Destination("queue", 0), "c");

    assertEquals(1, counted("[2001:db8::1]:80"));
    assertEquals(1, counted("queue"));
  }
}
