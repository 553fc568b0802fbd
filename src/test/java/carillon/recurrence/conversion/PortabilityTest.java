package carillon.recurrence.conversion;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.InexpressibleException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the expressions that Quartz 2.3 to 2.5 and EventBridge read differently or reject. */
class PortabilityTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "QUARTZ | 0 0 0 ? * 2#1,6#3",
        "QUARTZ | 0 0 12 1,15,LW,2W,30W * ?",
        "QUARTZ | 0 55 3 31,1W * ?",
        "QUARTZ | 0 0 9 ? 2 SUN,TUE-SAT,2#5",
        "QUARTZ | 0 0 9 1,L * ?",
        "AWS | cron(0 0 ? * 2#1,6#3 *)",
        "AWS | cron(0 0 LW * ? *)",
        "AWS | cron(0 0 L-3 * ? *)"
      })
  void isLeftOut(CronDialect dialect, String text) {
    assertThrows(
        InexpressibleException.class, () -> RecurrenceConverter.Portability.check(dialect, text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "QUARTZ | 0 0 9 ? JUL,AUG MON-FRI,SUN",
        "QUARTZ | 0 0 9 ? * WED,FRI",
        "QUARTZ | 0 0,30 9,17 L * ?",
        "QUARTZ | 0 0 9 LW 1,2 ?",
        "QUARTZ | 0 0 9 L-3 * ?",
        "QUARTZ | 0 0 9 ? * 6L",
        "QUARTZ | 0 0 9 ? * 2#1",
        "AWS | cron(0,30 9 L * ? *)",
        "AWS | cron(0 9 15W * ? *)",
        "UNIX | 0 9 1,L * *"
      })
  void isSaid(CronDialect dialect, String text) {
    assertDoesNotThrow(() -> RecurrenceConverter.Portability.check(dialect, text));
  }
}
