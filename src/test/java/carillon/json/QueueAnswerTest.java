package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.api.arm.ArmEnvelope;
import carillon.job.JobDefinition;
import carillon.job.StoredJob;
import carillon.job.action.Secret;
import carillon.job.action.StorageQueueCall;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Test of queue actions in answers, whose properties equal those of the service, and in patches.
 */
class QueueAnswerTest {
  private static final JobKey JOB = new JobKey("s/g/c/j");
  private static final Instant NOW = Instant.parse("2016-03-30T20:00:00Z");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));
  private static final JobCodec ARM = new JobCodec(ArmEnvelope.DIALECT, LIMITS);

  private static final String STORAGE =
      "{`queueMessage`:{`storageAccount`:`acct`,`queueName`:`jobs`,`message`:`m`<TOKEN>},"
          + "`type`:`StorageQueue`}";
  private static final String BUS_TOPIC =
      "{`serviceBusTopicMessage`:{`topicPath`:`t1`,`namespace`:`contoso`,"
          + "`transportType`:`netMessaging`,"
          + "`authentication`:{<KEY>`sasKeyName`:`RootManage`,`type`:`sharedAccessKey`},`message`:`m`,"
          + "`brokeredMessageProperties`:{`contentType`:`Application/Json`,`correlationId`:`c`,"
          + "`forcePersistence`:false,`label`:`l`,`messageId`:`i`,`partitionKey`:`s`,"
          + "`replyTo`:`r`,`replyToSessionId`:`rs`,"
          + "`scheduledEnqueueTimeUtc`:`2016-03-30T21:00:00Z`,`sessionId`:`s`,"
          + "`timeToLive`:`1.00:01:00`,`to`:`t`,`viaPartitionKey`:`v`},"
          + "`customMessageProperties`:{`Key`:`Value`,`another`:``}},`type`:`ServiceBusTopic`}";
  private static final String BUS_QUEUE =
      "{`serviceBusQueueMessage`:{`queueName`:`q1`,`namespace`:`contoso`,"
          + "`authentication`:{<KEY>`sasKeyName`:`n`,`type`:`sharedAccessKey`},`message`:`m`},"
          + "`type`:`ServiceBusQueue`}";
  private static final String STREAM =
      "{`redisStream`:{`stream`:`s`,`message`:`m`,`fields`:{`K`:`v`},`maxLength`:9},"
          + "`type`:`RedisStream`}";
  private static final String LIST =
      "{`redisList`:{`list`:`l`,`message`:`m`,`side`:`right`},`type`:`RedisList`}";

  private static byte[] json(String text) {
    return text.replace('`', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).replace('"', '`');
  }

  private static final List<String> ACTIONS = List.of(STORAGE, BUS_TOPIC, BUS_QUEUE, STREAM, LIST);

  /** Returns an action as it is answered. */
  private static String answered(String action) {
    return action.replace("<TOKEN>", "").replace("<KEY>", "");
  }

  /** Returns an action as a client sends it. */
  private static String sent(String action) {
    return action
        .replace("<TOKEN>", ",`sasToken`:`sv=1&sig=CANARY`")
        .replace("<KEY>", "`sasKey`:`CANARY`,");
  }

  private static StoredJob job(String action) {
    JobDefinition definition =
        ARM.read(JOB, json("{`properties`:{`action`:" + sent(action) + "}}"), NOW).definition();
    return new StoredJob(
        new CollectionName("s", "g", "c").job("j"),
        definition,
        JobState.DISABLED,
        1,
        Optional.empty(),
        NOW);
  }

  private static String answer(Dialect dialect, StoredJob job) {
    String answer = text(new JobCodec(dialect, LIMITS).job(job));
    return answer.substring(answer.indexOf("`action`:") + 9, answer.indexOf(",`state`"));
  }

  @Test
  void armAnswersHaveTheServicesOrderAndCase() {
    for (String action : ACTIONS) {
      assertEquals(answered(action), answer(ArmEnvelope.DIALECT, job(action)));
    }
  }

  @Test
  void nativeAnswersSpeakLowerCaseAndIso8601() {
    for (String action : ACTIONS) {
      String lower =
          answered(action)
              .replace("`type`:`S", "`type`:`s")
              .replace("`type`:`R", "`type`:`r")
              .replace("`1.00:01:00`", "`PT24H1M`");

      assertEquals(lower, answer(Dialect.NATIVE, job(action)));
    }
  }

  @Test
  void aQueueActionIsAnErrorActionToo() {
    String main = STORAGE.replace("},`type`", "},`errorAction`:" + BUS_QUEUE + ",`type`");

    String answer = answer(ArmEnvelope.DIALECT, job(main));

    assertEquals(
        answered(STORAGE).replace("`StorageQueue`}", "`StorageQueue`,")
            + "`errorAction`:"
            + answered(BUS_QUEUE)
            + "}",
        answer);
  }

  @Test
  void aPatchThatDoesNotMentionASecretKeepsIt() {
    StoredJob job = job(STORAGE);
    byte[] change = json("{`properties`:{`action`:{`queueMessage`:{`message`:`n`}}}}");

    JobSubmission submission = ARM.patch(job, change, NOW);

    assertEquals(
        new StorageQueueCall("acct", "jobs", "n", new Secret("sv=1&sig=CANARY")),
        submission.definition().keeping(Optional.of(job.definition())).action().call());
  }

  @Test
  void aSecretIsKeptForTheSameDestinationOnly() {
    StoredJob job = job(STORAGE);
    byte[] change = json("{`properties`:{`action`:{`queueMessage`:{`storageAccount`:`other`}}}}");

    JobSubmission submission = ARM.patch(job, change, NOW);

    assertThrows(
        JobException.class, () -> submission.definition().keeping(Optional.of(job.definition())));
  }

  @Test
  void anotherKindOfActionTakesAPatchThatRemovesTheOldOne() {
    StoredJob job = job(STORAGE);
    String list = "`redisList`:{`list`:`l`,`message`:`m`},`type`:`redisList`";

    JobException refusal =
        assertThrows(
            JobException.class,
            () -> ARM.patch(job, json("{`properties`:{`action`:{" + list + "}}}"), NOW));
    JobSubmission submission =
        ARM.patch(job, json("{`properties`:{`action`:{`queueMessage`:null," + list + "}}}"), NOW);

    assertEquals(
        "action.queueMessage: must not be given with type 'redisList', whose settings are in redisList",
        refusal.getMessage());
    assertEquals("RedisListCall[l]", submission.definition().action().call().toString());
  }

  @Test
  void aStreamsEntryHasNoMoreFieldsThanARequestHasHeaders() {
    StringBuilder fields = new StringBuilder("`f0`:``");
    for (int i = 1; i < 51; i++) {
      fields.append(",`f").append(i).append("`:``");
    }
    String action = STREAM.replace("`K`:`v`", fields);

    JobException refusal = assertThrows(JobException.class, () -> job(action));

    assertEquals(
        "action.redisStream.fields: 51 fields are more than the 50 allowed", refusal.getMessage());
  }

  @Test
  void aMessageThatNoQueueTakesIsRefused() {
    JobCodec roomy =
        new JobCodec(
            Dialect.NATIVE,
            new SubmissionLimits(
                1 << 20, 1, 1, 1, 20_000, Duration.ofDays(1), Duration.ZERO, Duration.ofHours(1)));
    String action = "{`action`:" + sent(STORAGE) + "}";

    JobException longest =
        assertThrows(
            JobException.class,
            () ->
                roomy.read(JOB, json(action.replace("`m`", "`" + "m".repeat(20_001) + "`")), NOW));
    JobException escaped =
        assertThrows(
            JobException.class,
            () ->
                roomy.read(JOB, json(action.replace("`m`", "`" + "<".repeat(10_000) + "`")), NOW));

    assertEquals(
        "action.queueMessage.message: 20001 bytes are more than the 20000 allowed",
        longest.getMessage());
    assertEquals(
        "action.queueMessage.message: 50000 bytes of XML are more than the 48128 that a storage"
            + " queue takes",
        escaped.getMessage());
  }

  @Test
  void secretsAreMappedByWhereTheyStand() {
    List<String> seen = new ArrayList<>();
    for (String action : ACTIONS) {
      job(action)
          .definition()
          .action()
          .call()
          .mapSecrets(
              (field, secret) -> {
                seen.add(field + "=" + secret.text());
                return secret;
              });
    }

    assertEquals(
        List.of(
            "queueMessage.sasToken=sv=1&sig=CANARY",
            "serviceBusTopicMessage.authentication.sasKey=CANARY",
            "serviceBusQueueMessage.authentication.sasKey=CANARY"),
        seen);
  }

  @Test
  void noTextOfAnActionTellsItsSecretsOrItsMessage() {
    for (String action : ACTIONS) {
      String text = job(action).definition().toString();

      assertFalse(text.contains("CANARY") || text.contains("message"), text);
    }
  }
}
