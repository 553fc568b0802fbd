package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.name.JobState;
import carillon.support.Engine;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests of jobs in a time zone while the clocks change, and of their cost for other jobs. */
class ZonedJobTest extends EngineFixture {
  private static final Pattern HSETS = Pattern.compile("cmdstat_hset:calls=(\\d+)");

  @Override
  Instant begin() {
    return Instant.parse("2027-03-26T12:00:00Z");
  }

  private String nightly(String recurrence) {
    return job("2027-03-27T02:30:00")
        .with("timeZone", "Europe/Berlin")
        .recurrence(recurrence)
        .json();
  }

  private String local(String job) {
    Response local = engine.redis(Command.HGET, Engine.hash(job), "local");
    return Objects.toString(local, "none");
  }

  @Test
  void aJobRunsAtItsLocalTimesWhileTheClocksChange() {
    engine.put("j", nightly("{`frequency`:`day`,`count`:3}"));
    List<String> locals = new ArrayList<>(List.of(local("j")));
    for (String at :
        List.of("2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z")) {
      engine.stepTo(Instant.parse(at).minusMillis(1));
      engine.stepTo(Instant.parse(at));
      assertEquals(
          at, target.calls().get(target.calls().size() - 1).headers().get("Carillon-Scheduled-At"));
      locals.add(local("j"));
    }

    assertEquals(3, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(
        List.of(
            "2027-03-27T02:30+01:00", "2027-03-28T02:30+01:00", "2027-03-29T02:30+02:00", "none"),
        locals);
  }

  @Test
  void occurrencesThatAreMissedAreCountedByTheLocalTimes() {
    engine.put("j", nightly("{`frequency`:`day`}"));

    engine.stepTo(Instant.parse("2027-03-30T12:00:00Z"));

    assertEquals(1, target.calls().size());
    assertEquals(3, engine.get("j").counters().skipped());
    assertEquals("2027-03-31T02:30+02:00", local("j"));
  }

  @Test
  void aJobWithoutATimeZoneHasTheFieldsThatItHad() {
    engine.put("j", every("2027-03-27T02:30:00Z", "{`frequency`:`day`}"));
    engine.stepTo(Instant.parse("2027-03-27T02:30:00Z"));

    Set<String> fields = new TreeSet<>(engine.redis(Command.HGETALL, Engine.hash("j")).getKeys());

    assertEquals(
        Set.of(
            "claimedOccurrence",
            "definition",
            "executions",
            "last",
            "latest",
            "next",
            "occurrence",
            "openExecutions",
            "revision"),
        fields);
  }

  @Test
  void aTimeZoneCostsNoWriteMoreAtThePut() {
    String plain = every("2027-03-27T01:30:00Z", "{`frequency`:`day`}");

    assertEquals(1, writes(() -> engine.put("plain", plain)));
    assertEquals(1, writes(() -> engine.put("zoned", nightly("{`frequency`:`day`}"))));
  }

  /** Returns how often a hash is written. */
  private int writes(Runnable step) {
    engine.redis(Command.CONFIG, "RESETSTAT");
    step.run();
    Matcher told = HSETS.matcher(engine.redis(Command.INFO, "commandstats").toString());
    return told.find() ? Integer.parseInt(told.group(1)) : 0;
  }
}
