package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.job.JobException;
import carillon.json.Dialect;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcePathTest {
  private static final String ARM =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler";

  @ParameterizedTest
  @CsvSource({
    "/jobcollections, COLLECTIONS, ''",
    "/JobCollections/, COLLECTIONS, ''",
    "/jobcollections/c, COLLECTION, c",
    "/jobcollections/c/Enable, COLLECTION_ENABLE, c",
    "/jobcollections/c/disable, COLLECTION_DISABLE, c",
    "/jobcollections/c/JOBS, JOBS, c",
    "/jobcollections/c/jobs/j, JOB, c j",
    "/jobcollections/jobs/jobs/jobs, JOB, jobs jobs",
    "/jobcollections/c/jobs/history, JOB, c history",
    "/jobcollections/c/jobs/j/run, JOB_RUN, c j",
    "/jobcollections/c/jobs/j/enable, JOB_ENABLE, c j",
    "/jobcollections/c/jobs/j/disable, JOB_DISABLE, c j",
    "/jobcollections/c/jobs/history/history, HISTORY, c history",
    "/jobcollections/c/jobs/j/history/1:2, HISTORY_ENTRY, c j 1:2",
    "/jobcollections/c/jobs/j/history/1%3a2, HISTORY_ENTRY, c j 1:2",
    "/jobcollections/c/jobs/a%2Fb, JOB, c a/b",
    "/jobcollections/c/jobs/%252e, JOB, c %2e",
    "/jobcollections/c/jobs/caf%C3%A9, JOB, c café",
    "/Groups/s/g/jobCollections, COLLECTIONS, ''",
    "/groups/s/g/jobcollections/c/search, COLLECTION_SEARCH, c",
    "/groups/s/g/jobcollections/c/jobs/j/history/1:2, HISTORY_ENTRY, c j 1:2",
  })
  void theTailNamesAResource(String path, ResourcePath.Kind kind, String names) {
    ResourcePath resource = ResourcePath.parse(path).orElseThrow();

    assertEquals(kind, resource.kind());
    assertEquals(names, String.join(" ", resource.names()));
    assertEquals(Dialect.NATIVE, resource.dialect());
  }

  @ParameterizedTest
  @CsvSource({
    "/jobCollections/c/jobs/j, JOB",
    "/JOBCOLLECTIONS, COLLECTIONS",
    "/jobCollections/c/jobs/j/history, HISTORY"
  })
  void theArmDialectHasTheSameTail(String tail, ResourcePath.Kind kind) {
    ResourcePath resource = ResourcePath.parse(ARM + tail).orElseThrow();

    assertEquals(kind, resource.kind());
    assertEquals(Dialect.ARM, resource.dialect());
    assertEquals("s", resource.subscription());
    assertEquals(Optional.of("g"), resource.group());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/Subscriptions/s/Providers/microsoft.scheduler/jobcollections",
        "/subscriptions/s/providers/Microsoft.Scheduler/jobCollections/"
      })
  void aSubscriptionHasOneListOfCollections(String path) {
    ResourcePath resource = ResourcePath.parse(path).orElseThrow();

    assertEquals(ResourcePath.Kind.COLLECTIONS, resource.kind());
    assertEquals(Optional.empty(), resource.group());
    assertEquals(List.of(), resource.names());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/x",
        "/jobcollections/c/x",
        "/jobcollections/c/x/j",
        "/jobcollections/c/jobs/j/x",
        "/jobcollections/c/jobs/j/run/x",
        "/jobcollections/c/jobs/j/history/1/x",
        "/jobcollections/c%2Fjobs%2Fj/x",
        "/subscriptions",
        "/subscriptions/s/resourceGroups/g",
        "/subscriptions/s/providers/Microsoft.Scheduler/jobCollections/c",
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.Other/jobCollections"
      })
  void anythingElseNamesNone(String path) {
    assertEquals(Optional.empty(), ResourcePath.parse(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%", "/a%2", "/%zz", "/%ff", "/%C0%AF", "/%ED%A0%80"})
  void whatIsNotEncodedWellIsRefused(String path) {
    assertThrows(JobException.class, () -> ResourcePath.parse(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/jobcollection%C5%BF", "/jobcollections/c/job%C5%BF/j"})
  void onlyLettersOfAsciiAreFolded(String path) {
    assertEquals(Optional.empty(), ResourcePath.parse(path));
  }
}
