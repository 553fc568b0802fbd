package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.bounded.AsyncLoops;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Test that no method chains futures by calling itself, unless the number of steps is bounded. A
 * chain ends in one nested call for each step, and many steps exhaust the stack. Loops use {@link
 * AsyncLoops}.
 */
@AnalyzeClasses(packages = "carillon", importOptions = ImportOption.DoNotIncludeTests.class)
class RecursionTest {
  /** Methods with a bound, and what it is. */
  private static final Map<String, String> BOUNDED =
      Map.ofEntries(
          Map.entry("AttemptCheck.look", "a pause before each, for findings that change meanwhile"),
          Map.entry("BulkJobOperations.each", "10,000 jobs, by pages"),
          Map.entry("BulkJobOperations.requireFew", "10,000 jobs, by pages"),
          Map.entry("ChangeRetries.repeat", "its number of retries"),
          Map.entry("CloudServiceRoutes.deleteCollections", "collections of a group, by pages"),
          Map.entry("CloudServiceRoutes.listed", "collections in an answer, by pages"),
          Map.entry("ClusterRoute.followed", "redirections of a request"),
          Map.entry("CollectionStore.write", "once, after a deletion"),
          Map.entry("DisabledMarkers.settle", "changes of the same pause meanwhile"),
          Map.entry("EntryReader.read", "scopes of a caller"),
          Map.entry("FindingVerifier.look", "its number of looks"),
          Map.entry("FlowOperations.put", "its number of retries"),
          Map.entry("Heartbeat.awaitHeartbeats", "heartbeats within a lease"),
          Map.entry("HistoryRoutes.find", "entries of a history, by pages"),
          Map.entry("HttpInvoker.connect", "kept connections to a host"),
          Map.entry("JobCheck.check", "once"),
          Map.entry("JobQuota.writing", "its number of attempts"),
          Map.entry("JobSearch.find", "its budget"),
          Map.entry("JobStore.request", "requests at the same instant"),
          Map.entry("MergedNames.after", "names of a page"),
          Map.entry("MergedNames.walk", "names of a slice"),
          Map.entry("QuotaEntry.settle", "entries of a job"),
          Map.entry("RunningAttempts.collect", "its number of rounds"),
          Map.entry("StreamPager.collect", "its budget"),
          Map.entry("UpcomingWork.earliest", "four times as much in each round"),
          Map.entry("VirtualTime.settle", "its number of polls"),
          Map.entry("Walk.search", "the budget of a search"));

  @ArchTest
  static void futuresLoopByAsyncLoops(JavaClasses classes) {
    Set<String> found =
        classes.stream()
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.getRawReturnType().isEquivalentTo(Future.class))
            .filter(RecursionTest::callsItself)
            .map(method -> method.getOwner().getSimpleName() + "." + method.getName())
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(new TreeSet<>(BOUNDED.keySet()), found);
  }

  private static boolean callsItself(JavaMethod method) {
    return method.getMethodCallsFromSelf().stream()
        .anyMatch(call -> call.getTarget().getFullName().equals(method.getFullName()));
  }
}
