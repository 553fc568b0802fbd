package carillon.cli.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.WithCommands;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of commands that list and search jobs, against a real node. */
class ListJobsCommandTest extends WithCommands {
  private static final String JOB =
      "{`startTime`:`2026-11-21T05:00:00Z`,`action`:{`request`:{`uri`:`https://h/`}}}";

  @Test
  void jobsAreFoundByAPartOfTheirNames() {
    api.put("/jobcollections/default/jobs/nightly", JOB).assertStatus(201);
    api.put("/jobcollections/default/jobs/hourly", JOB).assertStatus(201);

    assertEquals("nightly", type("jobs", "search", "ght", "-o", "name"));
    assertEquals("", type("jobs", "search", "--outcome", "failed", "-o", "name"));
    assertEquals(3, type("jobs", "search", "--state", "enabled").lines().count());
  }

  @Test
  void jobsOfAllCollectionsAreFound() {
    api.put("/jobcollections/orders", "{}").assertStatus(201);
    api.put("/jobcollections/orders/jobs/nightly", JOB).assertStatus(201);
    api.put("/jobcollections/default/jobs/nightly", JOB).assertStatus(201);

    assertEquals(
        "default/nightly\norders/nightly", type("jobs", "search", "ght", "-A", "-o", "name"));
    assertEquals("", type("jobs", "search", "-A", "--state", "faulted", "-o", "name"));
    for (String option : List.of("--collection=orders", "--sort=next", "--desc")) {
      assertEquals(2, carillon.type("jobs", "search", "-A", option).code(), option);
    }
  }

  @Test
  void jobsAreListedInTheOrderThatIsAskedFor() {
    api.put("/jobcollections/default/jobs/a", JOB).assertStatus(201);
    api.put("/jobcollections/default/jobs/b", JOB.replace("T05", "T04")).assertStatus(201);

    assertEquals("a\nb", type("jobs", "list", "-o", "name"));
    assertEquals("b\na", type("jobs", "list", "--desc", "-o", "name"));
    assertEquals("b\na", type("jobs", "list", "--sort", "next", "-o", "name"));
    assertEquals("a", type("jobs", "list", "--sort=next", "--desc", "--limit=1", "-o", "name"));
    assertEquals("b\na", type("jobs", "search", "--sort", "next", "-o", "name"));
  }

  @Test
  void eachCommandSaysWhichPauseAJobWaitsFor() {
    api.put("/jobcollections/orders", "{}").assertStatus(201);
    String job = "/jobcollections/orders/jobs/nightly";
    api.put(job, JOB).assertStatus(201);
    api.post("/jobcollections/orders/disable", "{`note`:`INC-123`,`until`:`2026-11-22T23:00:00Z`}")
        .assertStatus(200);
    String waits = "collection orders is paused by anybody until 2026-11-22T23:00:00Z, INC-123";

    for (String command :
        List.of("jobs list orders", "jobs search -A", "due", "jobs get orders/nightly")) {
      String told = type(command.split(" "));
      assertTrue(told.contains(waits), told);
    }
    String put = type("jobs", "create", "orders/late", "--get", "http://127.0.0.1:9/");
    assertTrue(put.contains("waits: " + waits), put);
  }
}
