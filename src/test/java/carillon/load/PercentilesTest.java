package carillon.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {

  @Test
  void everyPercentileIsAValueThatOccurred() {
    Percentiles hundred =
        Percentiles.of(LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray());

    assertEquals(1, hundred.at(1));
    assertEquals(50, hundred.at(50));
    assertEquals(99, hundred.at(99));
    assertEquals(100, hundred.at(99.5));
    assertEquals(100, hundred.max());
  }

  @Test
  void oneValueIsEveryPercentile() {
    Percentiles one = Percentiles.of(new long[] {7});

    assertEquals(7, one.at(0.1));
    assertEquals(7, one.at(50));
    assertEquals(7, one.max());
  }

  @Test
  void noValuesAreZero() {
    Percentiles none = Percentiles.of(new long[0]);

    assertEquals(0, none.count());
    assertEquals(0, none.at(99));
    assertEquals(0, none.negative());
  }

  @Test
  void negativeValuesAreCounted() {
    assertEquals(2, Percentiles.of(new long[] {3, -1, 0, -5}).negative());
  }

  @Test
  void theGivenArrayStaysAsItIs() {
    long[] values = {3, 1, 2};

    Percentiles.of(values);

    assertArrayEquals(new long[] {3, 1, 2}, values);
  }

  @Test
  void samplesGrow() {
    Percentiles.Samples samples = new Percentiles.Samples();
    LongStream.range(0, 200_000).forEach(samples::add);

    Percentiles all = samples.percentiles();

    assertEquals(200_000, all.count());
    assertEquals(199_999, all.max());
  }
}
