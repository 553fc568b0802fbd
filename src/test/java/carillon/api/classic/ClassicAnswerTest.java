package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.StoredJob;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.JobCodec;
import carillon.json.text.SubmissionLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of answers, byte for byte against recorded answers of the retired service. */
class ClassicAnswerTest {
  private static final Instant NOW = Instant.parse("2015-07-01T00:00:34Z");
  private static final CollectionName COLLECTION =
      new CollectionName("s1", "cloud_service_b011479", "job_collection_b011479");
  private static final JobName JOB = COLLECTION.job("job_id");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static StoredJob job(String json, Optional<Instant> next) {
    JobCodec reader = new JobCodec(ClassicEnvelope.DIALECT, LIMITS);
    return new StoredJob(
        JOB,
        reader.read(new JobKey(JOB.key()), json.getBytes(StandardCharsets.UTF_8), NOW).definition(),
        JobState.ENABLED,
        1,
        next,
        NOW);
  }

  @Test
  void aJobIsAnsweredAsRecorded() {
    StoredJob job =
        job(
            "{\"state\": \"enabled\", \"startTime\": \"2015-07-01T00:00:32.104381\","
                + " \"recurrence\": {\"frequency\": \"minute\", \"count\": 10, \"interval\": 30},"
                + " \"action\": {\"request\": {\"headers\": {\"Content-Type\": \"text/plain\"},"
                + " \"uri\": \"http://bing.com/\", \"method\": \"GET\"}, \"type\": \"http\"}}",
            Optional.of(Instant.parse("2015-07-01T00:30:32.104381Z")));

    assertEquals(
        "{\"id\":\"job_id\",\"startTime\":\"2015-07-01T00:00:32.104381Z\",\"action\":{\"request\":"
            + "{\"uri\":\"http:\\/\\/bing.com\\/\",\"method\":\"GET\",\"headers\":"
            + "{\"content-Type\":\"text\\/plain\"}},\"type\":\"http\"},\"recurrence\":"
            + "{\"frequency\":\"minute\",\"count\":10,\"interval\":30},\"state\":\"enabled\","
            + "\"status\":{\"nextExecutionTime\":\"2015-07-01T00:30:32.104381Z\","
            + "\"executionCount\":0,\"failureCount\":0,\"faultedCount\":0}}",
        text(new JobCodec(ClassicEnvelope.DIALECT, LIMITS).job(job)));
  }

  @Test
  void whatTheJavaScriptClientSendsIsAnsweredInLowerCase() {
    StoredJob job =
        job(
            "{\"action\":{\"type\":\"Https\",\"retryPolicy\":{\"retryType\":\"Fixed\","
                + "\"retryInterval\":\"PT1M\",\"retryCount\":2},\"request\":"
                + "{\"uri\":\"https://e\",\"method\":\"POST\",\"body\":\"a/b\"}},"
                + "\"recurrence\":{\"frequency\":\"Month\",\"schedule\":{\"months\":[2,8],"
                + "\"monthlyOccurrences\":[{\"day\":\"Monday\",\"occurrence\":-1}]}}}",
            Optional.empty());

    assertEquals(
        "{\"id\":\"job_id\",\"action\":{\"request\":{\"uri\":\"https:\\/\\/e\",\"method\":\"POST\","
            + "\"body\":\"a\\/b\"},\"type\":\"https\",\"retryPolicy\":{\"retryType\":\"fixed\","
            + "\"retryInterval\":\"PT1M\",\"retryCount\":2}},\"recurrence\":{\"frequency\":\"month\","
            + "\"interval\":1,\"schedule\":{\"monthlyOccurrences\":[{\"day\":\"monday\","
            + "\"occurrence\":-1}],\"months\":[2,8]}},\"state\":\"enabled\",\"status\":"
            + "{\"executionCount\":0,\"failureCount\":0,\"faultedCount\":0}}",
        text(new JobCodec(ClassicEnvelope.DIALECT, LIMITS).job(job)));
  }

  @Test
  void aListIsABareArray() {
    JobCodec writer = new JobCodec(ClassicEnvelope.DIALECT, LIMITS);

    assertEquals("[]", text(writer.page(List.of(), List.of(), Optional.of("http://more"))));
  }

  @Test
  void theHistoryShowsTheStateOfTheJob() {
    HistoryEntry entry =
        HistoryEntry.of(
            new Attempt(JOB.key(), NOW, 3, Attempt.Phase.ERROR, 2, 1, 0),
            NOW,
            NOW.plusMillis(1250),
            HistoryEntry.Status.FAILED,
            "Http Action - \u0000/");
    StoredJob job =
        job(
            "{\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"http://e\",\"method\":\"GET\"}}}",
            Optional.empty());

    assertEquals(
        "[{\"jobId\":\"job_id\",\"timestamp\":\"2015-07-01T00:00:35.25Z\","
            + "\"startTime\":\"2015-07-01T00:00:34Z\",\"endTime\":\"2015-07-01T00:00:35.25Z\",\"state\":\"enabled\",\"message\":\"Http"
            + " Action - \\u0000\\/\",\"status\":\"failed\","
            + "\"actionName\":\"ErrorAction\",\"repeatCount\":3,\"retryCount\":1}]",
        text(ClassicRoutes.page(job, List.of(entry))));
  }
}
