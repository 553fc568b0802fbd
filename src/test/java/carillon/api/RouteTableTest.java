package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.api.http.RoutePath;
import carillon.api.http.RouteTable;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("redis")
class RouteTableTest {
  private static final String ARM =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler";
  private static final String CLASSIC = "/s/cloudservices/g/resources/scheduler/~/jobcollections";

  @AutoClose private static ApiServer api;
  private static RouteTable routes;

  @BeforeAll
  static void start() {
    api = new ApiServer();
    routes = api.api().routes();
  }

  private static RoutePath find(String path) {
    return routes.find("GET", path);
  }

  /** Returns the dialect and the resource. */
  private static String meant(RoutePath path) {
    return path.route().envelope().word() + " " + path.route().label();
  }

  @ParameterizedTest
  @CsvSource({
    "/jobcollections, collections",
    "/JobCollections/, collections",
    "/jobcollections/c, collection",
    "/jobcollections/c/Enable, collection_enable",
    "/jobcollections/c/disable, collection_disable",
    "/jobcollections/c/JOBS, jobs",
    "/jobcollections/c/jobs/j, job",
    "/jobcollections/jobs/jobs/jobs, job",
    "/jobcollections/c/jobs/history, job",
    "/jobcollections/c/jobs/j/run, job_run",
    "/jobcollections/c/jobs/j/retry, job_retry",
    "/jobcollections/c/retry, collection_retry",
    "/jobcollections/c/jobs/j/enable, job_enable",
    "/jobcollections/c/jobs/j/disable, job_disable",
    "/jobcollections/c/jobs/history/history, history",
    "/jobcollections/c/jobs/j/history/1:2, history_entry",
    "/Groups/s/g/jobCollections, collections",
    "/groups/s/g/jobcollections/c/search, collection_search",
    "/groups/s/g/jobcollections/c/jobs/j/history/1:2, history_entry",
    "/groups/services/g/jobcollections/c, collection",
    "/jobcollections/services, collection",
  })
  void theTailNamesAResource(String path, String label) {
    assertEquals("native " + label, meant(find(path)));
  }

  @Test
  void namesAreDecodedOnce() {
    assertEquals("default/default/c/a", find("/jobcollections/c/jobs/a").job().key());
    assertEquals("s/g/c/j", find("/groups/s/g/jobcollections/c/jobs/j").job().key());
    assertEquals("1:2", find("/jobcollections/c/jobs/j/history/1%3a2").id());
    assertEquals("%2e", find("/keys/%252e").id());
    assertEquals("a/b", find("/keys/a%2Fb").id());
    assertEquals("café", find("/keys/caf%C3%A9").id());
  }

  @ParameterizedTest
  @CsvSource({
    "/jobCollections/c/jobs/j, job",
    "/JOBCOLLECTIONS, collections",
    "/jobCollections/c/jobs/j/history, history"
  })
  void theArmDialectHasTheSameTail(String tail, String label) {
    RoutePath path = find(ARM + tail);

    assertEquals("arm " + label, meant(path));
    assertEquals("s", path.subscription());
    assertEquals(Optional.of("g"), path.group());
  }

  @ParameterizedTest
  @CsvSource({
    "/jobs/j, job",
    "'', collection",
    "/JOBS, jobs",
    "/jobs/j/history, history",
    "/jobs/j/run, unknown",
    "/enable, unknown",
  })
  void theClassicDialectHasLessOfIt(String tail, String label) {
    for (String path : List.of(CLASSIC, CLASSIC.replace("/~", ""))) {
      RoutePath found = find(path + "/c" + tail);

      assertEquals("classic " + label, meant(found));
      assertEquals("s", found.subscription());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/s/cloudservices, cloud_services",
    "/s/cloudservices/g, cloud_service",
    "/s/cloudservices/g/x, unknown",
    "/s/operations, unknown",
    "/s/operations/1, operation",
    "/s/SERVICES, registration",
    "/s/services/x, unknown",
    "/groups/services, registration",
    "/groups/services/x/y, unknown",
    "/providers/services, registration",
  })
  void aWordOfTheClassicDialectComesSecond(String path, String label) {
    assertEquals("classic " + label, meant(find(path)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/Subscriptions/s/Providers/microsoft.scheduler/jobcollections",
        "/subscriptions/s/providers/Microsoft.Scheduler/jobCollections/"
      })
  void aSubscriptionHasOneListOfCollections(String path) {
    assertEquals("arm collections", meant(find(path)));
    assertEquals(Optional.empty(), find(path).group());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x",
        "/Nodes",
        "/health/x",
        "/keys/a/b",
        "/jobcollections/c/x",
        "/jobcollections/c/x/j",
        "/jobcollections/c/jobs/j/x",
        "/jobcollections/c/jobs/j/run/x",
        "/jobcollections/c/jobs/j/history/1/x",
        "/jobcollections/c%2Fjobs%2Fj/x",
        "/jobcollections/services/x",
        "/groups/services/g/jobcollections/c/x",
        "/subscriptions",
        "/subscriptions/services",
        "/subscriptions/s/resourceGroups/g",
        "/subscriptions/s/providers/Microsoft.Scheduler/jobCollections/c",
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.Other/jobCollections",
        "/%",
        "/keys/a%2",
        "/keys/%zz",
        "/keys/%ff",
        "/keys/%C0%AF",
        "/keys/%ED%A0%80",
        "/jobcollection%C5%BF",
        "/jobcollections/c/job%C5%BF/j",
        "//services",
        "*"
      })
  void anythingElseNamesNone(String path) {
    assertEquals("none unknown", meant(find(path)));
  }

  @Test
  void aFixedPathIsThereForItsMethodsAlone() {
    assertEquals("none session", meant(routes.find("DELETE", "/session/")));
    assertEquals("none unknown", meant(routes.find("PUT", "/session")));
    assertEquals("none nodes", meant(routes.find("PUT", "/nodes")));
    assertEquals("classic registration", meant(routes.find("PUT", "/keys/services")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/health", "/metrics", "/overview", "/keys", "/keys/k", "/audit", "/session"})
  void aFixedPathWithAnotherMethodIsNotThere(String path) {
    api.send("PURGE", path, null).assertStatus(404);
  }
}
