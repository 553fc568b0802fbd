package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Test of the promises for 100 nodes that share 1024 partitions. */
class AffinitySimulationTest {
  private static final AffinitySimulation HUNDRED = new AffinitySimulation(100, 1024);

  @Test
  void noNodeHasMuchMoreThanItsShare() {
    assertTrue(HUNDRED.first().mostToMean() < 2.2, HUNDRED.first()::toString);
    assertTrue(HUNDRED.first().least() > 0, HUNDRED.first()::toString);
    assertTrue(HUNDRED.looked().mostToMean() < 1.6, HUNDRED.looked()::toString);
  }

  @Test
  void pollsInVainDependOnThePartitionsAndNotOnTheNodes() {
    // 4 polls a second of the second, 2 of the third, 4/3 of the fourth.
    double perPartition = 4 + 2 + 4 / 3.0;

    assertEquals(1024 * perPartition, HUNDRED.pollsInVain(), 1);
    assertEquals(1024 * perPartition, new AffinitySimulation(10, 1024).pollsInVain(), 1);
  }

  @Test
  void theLossOfOneNodeDelaysItsUntouchedWorkByLessThanASecond() {
    AffinitySimulation.TakeOver one = HUNDRED.takeOver(1);

    assertEquals(0, one.orphans());
    assertTrue(one.longest() <= 500, one::toString);
  }

  @Test
  void theLossOfThreeAtOnceLeavesNoPartitionAlone() {
    AffinitySimulation.TakeOver three = HUNDRED.takeOver(3);

    assertEquals(0, three.orphans());
    assertTrue(three.longest() <= 1500, three::toString);
  }

  @Test
  void oneMoreNodeMovesItsShareAndNothingElse() {
    assertTrue(HUNDRED.movedByOneMore() < 2.2 / 101, () -> "" + HUNDRED.movedByOneMore());
  }

  @Test
  void theTableIsPrinted() {
    HUNDRED.table().forEach(System.out::println);
    assertEquals(10, HUNDRED.table().size());
  }
}
