package carillon.api;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;

/** Tests of jobs that an older program would misread, on a Redis that no older one has used. */
abstract class WithScheduleFormat extends WithDefaultCollection {
  private static final String ARM_JOBS =
      "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
          + "/jobCollections/default/jobs/";

  /** Nothing in a clean Redis needs a newer program. */
  @BeforeEach
  void establish() {
    api.redis.ask("HSET carillon:meta schema 2 format 3");
  }

  /**
   * A job that recurs.
   *
   * @param more properties of the job, with a comma in front
   */
  static String job(String recurrence, String more) {
    return "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
        + "`recurrence`:"
        + recurrence
        + more
        + "}";
  }

  /** When a job runs next. */
  String next(String job) {
    return get(JOBS + job).getJsonObject("status").getString("nextExecutionTime");
  }

  /** The recurrence of a job, as it is answered. */
  JsonObject recurrence(String job) {
    return get(JOBS + job).getJsonObject("recurrence");
  }

  /** The path of a job in the ARM dialect. */
  static String arm(String job) {
    return ARM_JOBS + job + "?api-version=2016-03-01";
  }

  /** Adds a node of a program that knows nothing of format 3. */
  void joinOldNode() {
    long now = Instant.parse("2026-11-20T18:00:00Z").toEpochMilli();
    api.redis.ask("ZADD carillon:idle " + now + " old");
    api.redis.ask(
        "HSET carillon:node:old roles api version 0.1.0 started 2026-11-20T08:00:00Z"
            + " beat 2026-11-20T18:00:00Z lease PT10S ranks 1 inFlight 0 takenOver 0 state working");
  }
}
