package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of many clients that change one job at the same time. */
class ConcurrentChangesTest extends WithCollection {
  private static final int CLIENTS = 48;
  private static final int ROUNDS = 20;

  /**
   * Each change is made completely or refused: the number of revisions equals the number of 200
   * answers.
   */
  @Test
  void whoeverIsOvertakenTooOftenIsToldAndHasWrittenNothing() throws Exception {
    api.put(J, job().json());
    int refused = 0;
    for (int round = 0; round < ROUNDS && refused == 0; round++) {
      long before = changes();
      List<Answer> answers = AtOnce.run(CLIENTS, CLIENTS, i -> api.patch(J, change(i + 1)));
      List<Answer> overtaken = answers.stream().filter(answer -> answer.status() != 200).toList();
      overtaken.forEach(
          answer ->
              answer.assertError(
                  409,
                  "Conflict",
                  "Others change job 'j' at the same time; nothing is written. Try again."));
      assertEquals(before + CLIENTS - overtaken.size(), changes());
      refused += overtaken.size();
    }

    assertTrue(refused > 0, "nobody was ever overtaken");
    api.patch(J, change(99)).assertStatus(200);
  }

  private static String change(int retries) {
    return "{`action`:{`retryPolicy`:{`retryType`:`fixed`,`retryInterval`:`PT1M`,`retryCount`:%d}}}"
        .formatted(retries % 20);
  }

  /** Returns the number of changes in the audit log. */
  private long changes() {
    return Long.parseLong(
        api.redis.eval(
            "local n = 0 for p = 0, 3 do n = n + redis.call('XLEN', 'carillon:{' .. p .. '}:audit') end"
                + " return tostring(n)"));
  }
}
