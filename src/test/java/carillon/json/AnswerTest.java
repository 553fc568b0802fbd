package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.api.arm.ArmEnvelope;
import carillon.job.StoredJob;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.Hold.Holds;
import carillon.job.collection.JobCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;
import carillon.json.view.Preview;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static final Instant NOW = Instant.parse("2016-03-30T20:00:00Z");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));
  private static final CollectionName COLLECTION = new CollectionName("s1", "rg1", "jc1");
  private static final JobName JOB = COLLECTION.job("j1");
  private static final String ID =
      "/subscriptions/s1/resourceGroups/rg1/providers/Microsoft.Scheduler/jobCollections/jc1";
  private static final String ACTION =
      "{\"request\":{\"uri\":\"http://example.org\",\"method\":\"get\","
          + "\"headers\":{\"ConTent-tYPe\":\"a\"},\"body\":\"b\"},\"type\":\"Http\","
          + "\"retryPolicy\":{\"retryType\":\"fixed\",\"retryInterval\":\"30.00:00:00\",\"retryCount\":5},"
          + "\"errorAction\":{\"request\":{\"uri\":\"https://e/%2f\",\"method\":\"POST\"},\"type\":\"Https\"}}";
  private static final String RECURRENCE =
      "{\"frequency\":\"month\",\"count\":10,\"endTime\":\"2016-11-04T00:00:00Z\",\"interval\":1,"
          + "\"schedule\":{\"minutes\":[15],\"hours\":[5],\"monthDays\":[-1],"
          + "\"monthlyOccurrences\":[{\"day\":\"friday\",\"occurrence\":1}]}}";

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static StoredJob job(
      String properties,
      JobState state,
      Optional<Instant> next,
      Optional<Instant> last,
      long runs) {
    byte[] json = ("{\"properties\":" + properties + "}").getBytes(StandardCharsets.UTF_8);
    return new StoredJob(
        JOB,
        new JobCodec(ArmEnvelope.DIALECT, LIMITS)
            .read(new JobKey(JOB.key()), json, NOW)
            .definition(),
        state,
        1,
        next,
        last,
        1,
        new StoredJob.Counters(runs, 2, 1, 0),
        NOW,
        NOW,
        Optional.empty());
  }

  @Test
  void armJobsLookAsRecorded() {
    String properties =
        "{\"startTime\":\"2016-03-30T20:39:55.469507Z\",\"action\":"
            + ACTION
            + ",\"recurrence\":"
            + RECURRENCE
            + "}";
    StoredJob job =
        job(
            properties,
            JobState.ENABLED,
            Optional.of(Instant.parse("2016-04-01T05:15:55.469507Z")),
            Optional.of(Instant.parse("2016-03-30T20:40:45.216Z")),
            7);

    String answer = text(new JobCodec(ArmEnvelope.DIALECT, LIMITS).job(job));

    assertEquals(
        "{\"id\":\""
            + ID
            + "/jobs/j1\",\"type\":\"Microsoft.Scheduler/jobCollections/jobs\","
            + "\"name\":\"jc1/j1\",\"properties\":{\"startTime\":\"2016-03-30T20:39:55.469507Z\","
            + "\"action\":"
            + ACTION
            + ",\"recurrence\":"
            + RECURRENCE
            + ",\"state\":\"enabled\","
            + "\"status\":{\"lastExecutionTime\":\"2016-03-30T20:40:45.216Z\","
            + "\"nextExecutionTime\":\"2016-04-01T05:15:55.469507Z\",\"executionCount\":7,"
            + "\"failureCount\":2,\"faultedCount\":1}}}",
        answer);
  }

  @Test
  void nativeJobsAreFlatAndSpeakIso8601() {
    StoredJob job =
        job("{\"action\":" + ACTION + "}", JobState.ENABLED, Optional.of(NOW), Optional.empty(), 0);

    String answer = text(new JobCodec(Dialect.NATIVE, LIMITS).job(job));

    assertEquals(
        "{\"id\":\"j1\",\"action\":"
            + ACTION.replace("Http", "http").replace("\"30.00:00:00\"", "\"PT720H\"")
            + ",\"state\":\"enabled\",\"status\":{\"createdTime\":\"2016-03-30T20:00:00Z\","
            + "\"nextExecutionTime\":\"2016-03-30T20:00:00Z\","
            + "\"executionCount\":0,\"failureCount\":2,\"faultedCount\":1}}",
        answer);
  }

  private static String fromState(Dialect dialect, StoredJob job) {
    String answer = text(new JobCodec(dialect, LIMITS).job(job));
    return answer.substring(answer.indexOf("\"state\""));
  }

  @Test
  void aJobThatIsDisabledAndNeverRanHasNoStatusInAzuresDialects() {
    StoredJob idle =
        job(
            "{\"action\":" + ACTION + "}",
            JobState.DISABLED,
            Optional.empty(),
            Optional.empty(),
            0);
    StoredJob paused =
        job(
            "{\"action\":" + ACTION + "}",
            JobState.DISABLED,
            Optional.empty(),
            Optional.of(NOW),
            1);

    assertEquals("\"state\":\"disabled\"}}", fromState(ArmEnvelope.DIALECT, idle));
    assertEquals(
        "\"state\":\"disabled\",\"status\":{\"createdTime\":\"2016-03-30T20:00:00Z\","
            + "\"executionCount\":0,\"failureCount\":2,\"faultedCount\":1}}",
        fromState(Dialect.NATIVE, idle));
    assertEquals(
        "\"state\":\"disabled\",\"status\":{\"createdTime\":\"2016-03-30T20:00:00Z\","
            + "\"lastExecutionTime\":\"2016-03-30T20:00:00Z\","
            + "\"executionCount\":1,\"failureCount\":2,\"faultedCount\":1}}",
        fromState(Dialect.NATIVE, paused));
  }

  @Test
  void listsEndWithAnExplicitNull() {
    assertEquals(
        "{\"value\":[],\"nextLink\":null}",
        text(
            new JobCodec(ArmEnvelope.DIALECT, LIMITS)
                .page(List.of(), List.of(), Optional.empty())));
    assertEquals(
        "{\"value\":[],\"nextLink\":\"http://h/?a\"}",
        text(
            new CollectionCodec(Dialect.NATIVE)
                .page(List.of(), List.of(), Optional.of("http://h/?a"), Holds.NONE)));
  }

  private static JobCollection collection(Dialect dialect, String json) {
    return new JobCollection(
        COLLECTION,
        new CollectionCodec(dialect).read(json.getBytes(StandardCharsets.UTF_8), "c"),
        1,
        NOW,
        NOW);
  }

  @Test
  void armCollectionsLookAsRecorded() {
    JobCollection collection =
        collection(
            ArmEnvelope.DIALECT,
            "{\"Location\":\"southcentralus\",\"tags\":{\"Name\":\"x\"},\"properties\":{\"sku\":"
                + "{\"name\":\"Standard\"},\"state\":\"suspended\",\"quota\":{\"maxJobCount\":50,"
                + "\"maxJobOccurrence\":3,\"maxRecurrence\":{\"frequency\":\"Minute\",\"interval\":1}}}}");

    assertEquals(
        "{\"id\":\""
            + ID
            + "\",\"type\":\"Microsoft.Scheduler/jobCollections\",\"name\":\"jc1\","
            + "\"location\":\"South Central US\",\"tags\":{\"Name\":\"x\"},\"properties\":{\"sku\":"
            + "{\"name\":\"Standard\"},\"state\":\"Suspended\",\"quota\":{\"maxJobCount\":50,"
            + "\"maxRecurrence\":{\"frequency\":\"minute\",\"interval\":1}}}}",
        text(new CollectionCodec(ArmEnvelope.DIALECT).collection(collection, Holds.NONE)));
  }

  @Test
  void nativeCollectionsAreFlat() {
    JobCollection collection =
        collection(Dialect.NATIVE, "{\"sku\":\"Free\",\"quota\":{\"maxJobOccurrence\":3}}");

    assertEquals(
        "{\"name\":\"jc1\",\"state\":\"enabled\",\"sku\":{\"name\":\"Free\"},"
            + "\"quota\":{\"maxJobOccurrence\":3}}",
        text(new CollectionCodec(Dialect.NATIVE).collection(collection, Holds.NONE)));
  }

  @Test
  void aChangeOfACollectionKeepsWhatItDoesNotMention() {
    JobCollection collection =
        collection(
            Dialect.NATIVE, "{\"sku\":\"Free\",\"location\":\"here\",\"tags\":{\"a\":\"1\"}}");
    byte[] change =
        "{\"location\":null,\"tags\":{\"b\":\"2\"},\"properties\":{\"state\":\"Disabled\"}}"
            .getBytes(StandardCharsets.UTF_8);

    assertEquals(
        "{\"tags\":{\"a\":\"1\",\"b\":\"2\"},\"state\":\"disabled\",\"sku\":{\"name\":\"Free\"}}",
        StoredJson.write(new CollectionCodec(ArmEnvelope.DIALECT).patch(collection, change)));
  }

  @Test
  void aChangeOfAJobKeepsWhatItDoesNotMention() {
    StoredJob job =
        job(
            "{\"action\":" + ACTION + ",\"recurrence\":" + RECURRENCE + "}",
            JobState.ENABLED,
            Optional.of(NOW),
            Optional.empty(),
            0);
    byte[] change =
        ("{\"properties\":{\"Action\":{\"errorAction\":null,\"retryPolicy\":{\"retryCount\":1}},"
                + "\"recurrence\":{\"interval\":2,\"schedule\":null}}}")
            .getBytes(StandardCharsets.UTF_8);

    JobSubmission submission = new JobCodec(ArmEnvelope.DIALECT, LIMITS).patch(job, change, NOW);

    assertEquals(
        "{\"action\":{\"request\":{\"uri\":\"http://example.org\",\"method\":\"get\","
            + "\"headers\":{\"ConTent-tYPe\":\"a\"},\"body\":\"b\"},"
            + "\"retryPolicy\":{\"retryType\":\"fixed\",\"retryInterval\":\"PT720H\",\"retryCount\":1}},"
            + "\"recurrence\":{\"frequency\":\"month\",\"count\":10,"
            + "\"endTime\":\"2016-11-04T00:00:00Z\",\"interval\":2}}",
        StoredJson.write(submission.definition()));
    assertEquals(Optional.empty(), submission.state());
  }

  @Test
  void historyLooksAsRecordedAndAlwaysHasAStatus() {
    HistoryEntry entry =
        HistoryEntry.of(
            new Attempt(
                JOB.key(), Instant.parse("2016-03-30T20:39:53Z"), 135, Attempt.Phase.MAIN, 1, 1, 0),
            Instant.parse("2016-03-30T20:39:53.8021951Z"),
            Instant.parse("2016-03-30T20:39:54Z"),
            HistoryEntry.Status.COMPLETED,
            "m");
    String id = "02519429304061978048:09223372036854767167";

    assertEquals(
        "{\"id\":\""
            + ID
            + "/jobs/j1/history/"
            + id
            + "\",\"type\":\"Microsoft.Scheduler/jobCollections/jobs/history\",\"name\":\"jc1/j1/"
            + id
            + "\",\"properties\":{\"startTime\":\"2016-03-30T20:39:53.8021951Z\","
            + "\"endTime\":\"2016-03-30T20:39:54Z\",\"expectedExecutionTime\":\"2016-03-30T20:39:53Z\","
            + "\"status\":\"completed\",\"message\":\"m\",\"retryCount\":0,\"repeatCount\":135,"
            + "\"actionName\":\"MainAction\"}}",
        text(new HistoryCodec(ArmEnvelope.DIALECT).entry(JOB, entry)));
    assertEquals(
        "{\"id\":\""
            + id
            + "\",\"startTime\":\"2016-03-30T20:39:53.8021951Z\","
            + "\"endTime\":\"2016-03-30T20:39:54Z\",\"expectedExecutionTime\":\"2016-03-30T20:39:53Z\","
            + "\"status\":\"completed\",\"message\":\"m\",\"actionName\":\"MainAction\","
            + "\"repeatCount\":135,\"retryCount\":0,\"executionId\":\""
            + entry.execution()
            + "\","
            + "\"attempt\":1,\"durationMs\":197}",
        text(new HistoryCodec(Dialect.NATIVE).entry(JOB, entry)));
  }

  @Test
  void aPreviewListsWhatASubmissionWouldDo() {
    byte[] json =
        ("{\"startTime\":\"2027-01-31T08:00:00Z\",\"recurrence\":{\"frequency\":\"month\"},"
                + "\"now\":\"2027-01-01\",\"top\":3}")
            .getBytes(StandardCharsets.UTF_8);

    assertEquals(
        "{\"occurrences\":[\"2027-01-31T08:00:00Z\",\"2027-02-28T08:00:00Z\","
            + "\"2027-03-31T08:00:00Z\"]}",
        text(new Preview(LIMITS).answer(json, NOW)));
  }
}
