package carillon.api;

import io.vertx.core.json.JsonObject;

/** Base of tests of scheduled jobs, with shorthands for their definitions and answers. */
abstract class WithScheduledJobs extends WithDefaultCollection {
  private static final String ARM_JOBS =
      "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
          + "/jobCollections/default/jobs/";

  /**
   * Returns a recurring job.
   *
   * @param more properties of the job, with a leading comma
   */
  static String job(String recurrence, String more) {
    return "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
        + "`recurrence`:"
        + recurrence
        + more
        + "}";
  }

  /** Returns when a job runs next. */
  String next(String job) {
    return get(JOBS + job).getJsonObject("status").getString("nextExecutionTime");
  }

  /** Returns the answered recurrence of a job. */
  JsonObject recurrence(String job) {
    return get(JOBS + job).getJsonObject("recurrence");
  }

  /** Returns the path of a job in the ARM dialect. */
  static String arm(String job) {
    return ARM_JOBS + job + "?api-version=2016-03-01";
  }
}
