package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.Attempt;
import carillon.job.CloudService;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.job.HistoryEntry;
import carillon.job.JobCollection;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.StoredJob;
import carillon.json.ClassicXml.Listed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers to the letter of what is on record of the retired service. */
class ClassicAnswerTest {
  private static final Instant NOW = Instant.parse("2015-07-01T00:00:34Z");
  private static final CollectionName COLLECTION =
      new CollectionName("s1", "cloud_service_b011479", "job_collection_b011479");
  private static final JobName JOB = COLLECTION.job("job_id");
  private static final SubmissionLimits LIMITS = SubmissionLimits.documented(Duration.ofSeconds(1));
  private static final ClassicXml XML = new ClassicXml("west");
  private static final String NAMESPACES =
      " xmlns=\"http://schemas.microsoft.com/windowsazure\""
          + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"";

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static StoredJob job(String json, Optional<Instant> next) {
    JobCodec reader = new JobCodec(Dialect.CLASSIC, LIMITS);
    return new StoredJob(
        JOB,
        reader.read(json.getBytes(StandardCharsets.UTF_8), NOW).definition(),
        JobState.ENABLED,
        1,
        next,
        Optional.empty(),
        1,
        StoredJob.Counters.ZERO,
        NOW,
        NOW);
  }

  private static JobCollection collection(CollectionDefinition before, String inside) {
    String document = "<Resource" + NAMESPACES + ">" + inside + "</Resource>";
    return new JobCollection(
        COLLECTION,
        ClassicReader.collection(before, document.getBytes(StandardCharsets.UTF_8)).definition(),
        0x19a_2b3c_4d5eL,
        NOW,
        NOW);
  }

  private static JobCollection collection(String inside) {
    return collection(CollectionDefinition.PLAIN.at(Optional.of("westeurope")), inside);
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
        text(new JobCodec(Dialect.CLASSIC, LIMITS).job(job)));
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
        text(new JobCodec(Dialect.CLASSIC, LIMITS).job(job)));
  }

  @Test
  void aListIsABareArray() {
    JobCodec writer = new JobCodec(Dialect.CLASSIC, LIMITS);

    assertEquals("[]", text(writer.page(List.of(), List.of(), Optional.of("http://more"))));
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Type, content-Type",
    "content-type, content-type",
    "ConTent-tYPe, conTent-tYPe",
    "DNT, dnt",
    "ETag, eTag",
    "X-MS-Version, x-MS-Version",
    "WWW-Authenticate, wwW-Authenticate"
  })
  void headerNamesAreCamelCasedAsJsonNetDid(String given, String answered) {
    assertEquals(answered, HttpCallCodec.camelCase(given));
  }

  @Test
  void theHistoryShowsTheStateOfTheJob() {
    HistoryEntry entry =
        new HistoryEntry(
            NOW,
            NOW.plusMillis(1250),
            NOW,
            HistoryEntry.Status.FAILED,
            Attempt.Phase.ERROR,
            3,
            1,
            "e1",
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
        text(HistoryCodec.classicPage(job, List.of(entry))));
  }

  @Test
  void aCollectionIsAnsweredAsRecorded() {
    JobCollection collection =
        collection("<IntrinsicSettings><plan>Standard</plan></IntrinsicSettings>");

    assertEquals(
        "<Resource"
            + NAMESPACES
            + "><CloudServiceSettings><GeoRegion>West Europe</GeoRegion></CloudServiceSettings>"
            + "<ETag>00000000-0000-0000-0000-019a2b3c4d5e</ETag>"
            + "<IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>"
            + "<Name>job_collection_b011479</Name><OperationStatus><Error><HttpCode>200</HttpCode>"
            + "<Message>OK</Message></Error><Result>Succeeded</Result></OperationStatus>"
            + "<PromotionCode></PromotionCode><SchemaVersion>1.1</SchemaVersion>"
            + "<State>Started</State><SubState i:nil=\"true\"/><Type>jobcollections</Type>"
            + "</Resource>",
        text(XML.collection(collection)));
  }

  @Test
  void quotaAndLabelComeBack() {
    JobCollection collection =
        collection(
            "<SchemaVersion>1.1</SchemaVersion><IntrinsicSettings><Plan>free</Plan><Quota>"
                + "<MaxJobCount>5</MaxJobCount><MaxJobOccurrence>7</MaxJobOccurrence>"
                + "<MaxRecurrence><Frequency>MINUTE</Frequency><Interval>1</Interval>"
                + "</MaxRecurrence></Quota></IntrinsicSettings><Label>w6Q8</Label>"
                + "<State>Stopped</State>");

    String answer = text(XML.collection(collection));

    assertEquals("\u00e4<", collection.definition().label().orElseThrow());
    assertEquals(
        "<IntrinsicSettings><Plan>free</Plan><Quota><MaxJobCount>5</MaxJobCount>"
            + "<MaxJobOccurrence>7</MaxJobOccurrence><MaxRecurrence><Frequency>Minute</Frequency>"
            + "<Interval>1</Interval></MaxRecurrence></Quota></IntrinsicSettings>"
            + "<Label>w6Q8</Label>",
        answer.substring(answer.indexOf("<Intrinsic"), answer.indexOf("<Name>")));
    assertEquals(true, answer.contains("<State>Stopped</State>"));
  }

  @Test
  void anUpdateKeepsWhatItDoesNotMention() {
    JobCollection before =
        collection(
            "<IntrinsicSettings><Plan>Free</Plan><Quota><MaxJobCount>5</MaxJobCount></Quota>"
                + "</IntrinsicSettings><Label>YQ==</Label><State>Stopped</State>");

    CollectionDefinition labelled =
        collection(before.definition(), "<ETag/><Label>Yg==</Label>").definition();
    CollectionDefinition planned =
        collection(
                before.definition(),
                "<ETag/><IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>")
            .definition();

    assertEquals(
        "{\"location\":\"westeurope\",\"state\":\"disabled\",\"sku\":{\"name\":\"Free\"},"
            + "\"quota\":{\"maxJobCount\":5},\"label\":\"b\"}",
        StoredJson.write(labelled));
    assertEquals(
        "{\"location\":\"westeurope\",\"state\":\"disabled\",\"sku\":{\"name\":\"Standard\"},"
            + "\"label\":\"a\"}",
        StoredJson.write(planned));
  }

  @Test
  void cloudServicesAreListedAsRecorded() {
    CloudService own =
        new CloudService("s1", "cs1", "label", "a < b", Optional.of("West Europe"), 1);
    CloudService group = CloudService.ofGroup("s1", "cs2", Optional.empty());
    JobCollection collection =
        collection("<IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>");

    assertEquals(
        "<CloudServices"
            + NAMESPACES
            + "><CloudService><Name>cs1</Name><Label>label</Label><Description>a &lt;"
            + " b</Description><GeoRegion>West Europe</GeoRegion><Resources/></CloudService>"
            + "<CloudService><Name>cs2</Name><Label>cs2</Label><Description>Resource group based"
            + " cloud service.</Description><GeoRegion>west</GeoRegion><Resources><Resource>"
            + "<ResourceProviderNamespace>Scheduler</ResourceProviderNamespace>"
            + "<Type>jobcollections</Type><Name>job_collection_b011479</Name>"
            + "<SchemaVersion>1.1</SchemaVersion>"
            + "<ETag>00000000-0000-0000-0000-019a2b3c4d5e</ETag><State>Started</State>"
            + "<IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>"
            + "<OperationStatus><Type>Create</Type><Result>Succeeded</Result></OperationStatus>"
            + "<Label>job_collection_b011479</Label></Resource></Resources></CloudService>"
            + "</CloudServices>",
        text(
            XML.cloudServices(
                List.of(new Listed(own, List.of()), new Listed(group, List.of(collection))))));
  }

  @Test
  void anOperationIsAnsweredAsRecorded() {
    assertEquals(
        "<Operation"
            + NAMESPACES
            + "><ID>bc99b612-149c-bd00-83dd-f50a9012b2bc</ID><Status>Succeeded</Status>"
            + "<HttpStatusCode>200</HttpStatusCode></Operation>",
        text(ClassicXml.operation("bc99b612-149c-bd00-83dd-f50a9012b2bc", 200, Optional.empty())));
    assertEquals(
        "<Operation"
            + NAMESPACES
            + "><ID>i</ID><Status>Failed</Status><HttpStatusCode>409</HttpStatusCode>"
            + "<Error><Code>ConflictError</Code><Message>m</Message></Error></Operation>",
        text(
            ClassicXml.operation(
                "i", 409, Optional.of(new ClassicXml.Fault("ConflictError", "m")))));
  }

  @Test
  void anErrorHoldsWhatXmlCanHold() {
    assertEquals(
        "<Error"
            + NAMESPACES
            + "><Code>c</Code><Message>&lt;\uFFFD&amp;\uFFFD]]&gt;</Message></Error>",
        text(ClassicXml.error(new ClassicXml.Fault("c", "<\u0000&\uD800]]>"))));
  }
}
