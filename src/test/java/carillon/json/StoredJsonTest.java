package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.api.arm.ArmEnvelope;
import carillon.job.JobDefinition;
import carillon.job.StoredJob;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.text.Dialect;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.SubmissionLimits;
import carillon.recurrence.Frequency;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredJsonTest {
  private static final JobKey JOB = new JobKey("s/g/c/j");
  static final String STORED_ACTION = "`action`:{`request`:{`uri`:`http://h/`}}";

  /** Answer for a job with all stored parts. */
  private static final String WHOLE =
      "{\"startTime\":\"2026-12-24T00:00:00.125Z\",\"action\":{"
          + "\"request\":{\"uri\":\"http://h/\",\"method\":\"GET\"},\"type\":\"http\","
          + "\"errorAction\":{"
          + "\"request\":{\"uri\":\"http://e/\",\"method\":\"GET\"},\"type\":\"http\"}}}";

  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  private static final SubmissionLimits LIMITS =
      new SubmissionLimits(
          1 << 20,
          4096,
          60,
          8192,
          20_000,
          Duration.ofDays(100_000),
          Duration.ZERO,
          Duration.ofHours(1));

  @Test
  void whatIsStoredIsReadBackEqual() {
    for (int seed = 0; seed < 2000; seed++) {
      JobDefinition definition = new RandomDefinitions(new Random(seed)).withQueues().next();

      JobDefinition read = StoredJson.readJob(JOB, StoredJson.write(definition));

      assertEquals(definition, read, "seed " + seed);
    }
  }

  @Test
  void whatMostJobsSayIsLeftOut() {
    JobDefinition job = StoredJson.readJob(JOB, WHOLE);

    assertEquals(
        "{\"startTime\":1798070400125,\"action\":{\"request\":{\"uri\":\"http://h/\"},"
            + "\"errorAction\":{\"request\":{\"uri\":\"http://e/\"}}}}",
        StoredJson.write(job));
  }

  @Test
  void aDocumentOfTheStoredFormSaysWhatIsLeftOut() {
    String stored = StoredJson.write(StoredJson.readJob(JOB, WHOLE));

    assertEquals(StrictJsonParser.parseStored(WHOLE), StoredJson.document(stored));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // finer than the stored milliseconds
        "{'startTime':'2026-12-24T00:00:00.1234567Z','action':{'request':{'uri':'http://h/'}}}",
        "{'startTime':'2026-12-24T00:00:00','timeZone':'Europe/Berlin','action':{'request':{'uri':'http://h/'}}}",
        "{'startTime':0,'action':{'request':{'uri':'http://h/','method':'get'}}}",
        "{'action':{'request':{'uri':'https://h/'},'type':'https'}}",
        "{'action':{'redisList':{'list':'l','message':'m','side':'left'},'type':'redisList'}}",
      })
  void whatHasNoShorterFormIsStoredAsItIs(String form) {
    String stored = form.replace('\'', '"');

    assertEquals(stored, StoredJson.write(StoredJson.readJob(JOB, stored)));
  }

  static List<Dialect> answered() {
    return List.of(Dialect.NATIVE, ArmEnvelope.DIALECT);
  }

  @ParameterizedTest
  @MethodSource("answered")
  void whatIsAnsweredCanBeSubmittedAgain(Dialect dialect) {
    JobName name = new CollectionName("s", "g", "c").job("j");
    for (int seed = 0; seed < 2000; seed++) {
      JobDefinition definition = new RandomDefinitions(new Random(seed)).next();
      StoredJob job = new StoredJob(name, definition, JobState.DISABLED, 1, Optional.empty(), NOW);

      if (definition.recurrence().filter(StoredJsonTest::isOfSeconds).isPresent()) {
        continue; // ARM does not support seconds
      }
      byte[] answer = new JobCodec(dialect, LIMITS).job(job);
      JobSubmission read = new JobCodec(dialect, LIMITS).read(JOB, answer, NOW);

      JobDefinition asked = definition.withTrace(Optional.empty());
      assertEquals(asked, read.definition(), "seed " + seed);
      assertEquals(Optional.of(JobState.DISABLED), read.state());
    }
  }

  @Test
  void aCollectionIsReadBackEqual() {
    String json =
        "{\"location\":\"westus\",\"tags\":{\"Quota\":\"x\"},\"state\":\"suspended\","
            + "\"sku\":{\"name\":\"Free\"},\"quota\":{\"maxJobCount\":5,\"maxJobOccurrence\":7,"
            + "\"maxRecurrence\":{\"frequency\":\"hour\",\"interval\":2}}}";

    CollectionDefinition read =
        new CollectionCodec(Dialect.NATIVE).read(json.getBytes(StandardCharsets.UTF_8), "c");

    assertEquals(json, StoredJson.write(read));
    assertEquals(read, StoredJson.readCollection(json));
  }

  @Test
  void aHistoryEntryBeginsWithItsEndInMilliseconds() {
    HistoryEntry entry =
        HistoryEntry.of(
            new Attempt(
                "s/g/c/j", Instant.parse("2026-11-20T18:12:52Z"), 4, Attempt.Phase.ERROR, 3, 1, 0),
            Instant.parse("2026-11-20T18:12:53Z"),
            Instant.parse("2026-11-20T18:12:53.1239Z"),
            HistoryEntry.Status.FAILED,
            "cut \ud83d");

    String stored = StoredJson.write(entry);

    assertEquals(
        "{\"end\":\"2026-11-20T18:12:53.123Z\",\"start\":\"2026-11-20T18:12:53Z\","
            + "\"due\":\"2026-11-20T18:12:52Z\",\"status\":\"failed\",\"action\":\"error\","
            + "\"occurrence\":4,\"retry\":2,\"execution\":\""
            + entry.execution()
            + "\",\"message\":\"cut ?\"}",
        stored);
    assertEquals(stored, StoredJson.write(StoredJson.readHistory(stored)));
  }

  @Test
  void theFirstAttemptOfTheFirstOccurrenceIsLeftOutOfAnEntry() {
    String whole =
        "{\"end\":\"2026-11-20T18:12:53.123Z\",\"start\":\"2026-11-20T18:12:53Z\","
            + "\"due\":\"2026-11-20T18:12:52Z\",\"status\":\"completed\",\"action\":\"main\","
            + "\"occurrence\":1,\"retry\":0,\"execution\":\"e\",\"message\":\"m\"}";

    HistoryEntry entry = StoredJson.readHistory(whole);
    String stored = StoredJson.write(entry);

    assertEquals(whole.replace("\"action\":\"main\",\"occurrence\":1,\"retry\":0,", ""), stored);
    assertEquals(entry, StoredJson.readHistory(stored));
    assertEquals(Attempt.Phase.MAIN, entry.phase());
    assertEquals(1, entry.occurrence());
    assertEquals(0, entry.retry());
  }

  @Test
  void anUnreadableStoredFormIsNotTheClientsFault() {
    assertThrows(IllegalStateException.class, () -> StoredJson.readJob(JOB, "{\"action\":5}"));
    assertThrows(IllegalStateException.class, () -> StoredJson.readJob(JOB, "{"));
    String farAway =
        "{\"startTime\":9223372036854775807,\"action\":{\"request\":{\"uri\":\"http://h/\"}}}";
    assertThrows(IllegalStateException.class, () -> StoredJson.readJob(JOB, farAway));
  }

  private static boolean isOfSeconds(Recurrence recurrence) {
    return recurrence instanceof PeriodicRecurrence periodic
        && periodic.frequency() == Frequency.SECOND;
  }
}
