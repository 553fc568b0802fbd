package carillon.cli.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.cli.WithCommands;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands that list and search jobs, against a real node. */
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
}
