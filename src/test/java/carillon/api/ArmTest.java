package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings.ArmSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test of the ARM dialect against recorded traffic of the retired service: each request, and every
 * byte of its answer. The subscription has another id of the same length, so that the recorded
 * Content-Length is right too.
 */
class ArmTest extends WithApi {
  private static final String SUBSCRIPTION = "/subscriptions/00000000-1111-2222-3333-444444444444";
  private static final String COLLECTIONS =
      SUBSCRIPTION
          + "/resourceGroups/CS-SouthCentralUS-scheduler/providers/Microsoft.Scheduler/jobCollections";
  private static final String PREVIEW = "?api-version=2014-08-01-preview";
  private static final String VERSION = "?api-version=2016-03-01";
  private static final Instant RECORDED = Instant.parse("2015-12-09T21:18:49.6647924Z");
  private static final String GUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

  @Override
  protected ApiServer server() {
    ApiServer server = new ApiServer();
    server.moveTo(RECORDED);
    return server;
  }

  private static void assertRecorded(int status, int length, String body, Answer answer) {
    answer.assertIs(status, body.replace("COLLECTIONS", COLLECTIONS));
    assertEquals(Integer.toString(length), answer.header("Content-Length"));
  }

  private Answer put(String path, String body) {
    return api.put(COLLECTIONS + path, body);
  }

  private Answer get(String path) {
    return api.get(COLLECTIONS + path);
  }

  private void createCollection() {
    put("/jc17255" + PREVIEW, "{`location`:`South Central US`}");
  }

  @Test
  void aCollectionIsCreatedReplacedAndDeletedAsIn2015() {
    assertRecorded(
        201,
        385,
        "{`id`:`COLLECTIONS/jc13697`,`type`:`Microsoft.Scheduler/jobCollections`,`name`:`jc13697`,"
            + "`location`:`South Central US`,`properties`:{`sku`:{`name`:`Standard`},"
            + "`state`:`Suspended`,`quota`:{`maxJobCount`:20,"
            + "`maxRecurrence`:{`frequency`:`week`,`interval`:1}}}}",
        put(
            "/jc13697" + PREVIEW,
            "{`name`:`jc13697`,`location`:`South Central US`,`properties`:{`sku`:"
                + "{`name`:`Standard`},`state`:`Suspended`,`quota`:{`maxJobCount`:20,"
                + "`maxRecurrence`:{`frequency`:`Week`,`interval`:1}}}}"));
    assertRecorded(
        201,
        415,
        "{`id`:`COLLECTIONS/jc13697`,`type`:`Microsoft.Scheduler/jobCollections`,`name`:`jc13697`,"
            + "`location`:`South Central US`,`tags`:{`department`:`marketing`},`properties`:"
            + "{`sku`:{`name`:`Premium`},`state`:`Enabled`,`quota`:{`maxJobCount`:50,"
            + "`maxRecurrence`:{`frequency`:`day`,`interval`:2}}}}",
        put(
            "/jc13697" + PREVIEW,
            "{`name`:`jc13697`,`location`:`South Central US`,`tags`:{`department`:`marketing`},"
                + "`properties`:{`sku`:{`name`:`Premium`},`state`:`Enabled`,`quota`:"
                + "{`maxJobCount`:50,`maxRecurrence`:{`frequency`:`Day`,`interval`:2}}}}"));
    assertRecorded(200, 0, "", api.delete(COLLECTIONS + "/jc13697" + PREVIEW));
  }

  /**
   * The service added 20 seconds to the time of the request, while Carillon runs immediately. The
   * service returned this time in units of 100 ns, Carillon in milliseconds.
   */
  @Test
  void jobsAreCreatedAndListedAsIn2015() {
    createCollection();
    String enabled =
        "{`id`:`COLLECTIONS/jc17255/jobs/j18790`,`type`:`Microsoft.Scheduler/jobCollections/jobs`,"
            + "`name`:`jc17255/j18790`,`properties`:{`startTime`:`2015-07-13T00:00:00Z`,"
            + "`action`:{`request`:{`uri`:`http://www.bing.com/`,`method`:`GET`},`type`:`Http`},"
            + "`state`:`enabled`,`status`:{`nextExecutionTime`:`2015-12-09T21:18:49.664Z`,"
            + "`executionCount`:0,`failureCount`:0,`faultedCount`:0}}}";
    String disabled =
        "{`id`:`COLLECTIONS/jc17255/jobs/j22243`,`type`:`Microsoft.Scheduler/jobCollections/jobs`,"
            + "`name`:`jc17255/j22243`,`properties`:{`startTime`:`2015-07-14T00:00:00Z`,"
            + "`action`:{`request`:{`uri`:`http://www.google.com/`,`method`:`POST`},`type`:`Http`},"
            + "`state`:`disabled`}}";

    assertRecorded(
        201,
        501,
        enabled,
        put(
            "/jc17255/jobs/j18790" + PREVIEW,
            "{`properties`:{`startTime`:`2015-07-13T00:00:00Z`,`action`:{`type`:`Http`,"
                + "`request`:{`uri`:`http://www.bing.com/`,`method`:`GET`}},`state`:`Enabled`}}"));
    assertRecorded(
        201,
        394,
        disabled,
        put(
            "/jc17255/jobs/j22243" + PREVIEW,
            "{`properties`:{`startTime`:`2015-07-14T00:00:00Z`,`action`:{`type`:`Http`,`request`:"
                + "{`uri`:`http://www.google.com/`,`method`:`POST`}},`state`:`Disabled`}}"));
    assertRecorded(
        200,
        422,
        "{`value`:[" + disabled + "],`nextLink`:null}",
        get("/jc17255/jobs" + PREVIEW + "&$top=5&$filter=state%20eq%20Disabled"));
    assertRecorded(
        200,
        529,
        "{`value`:[" + enabled + "],`nextLink`:null}",
        get("/jc17255/jobs" + PREVIEW + "&$top=5&$filter=state%20eq%20Enabled"));
  }

  @Test
  void aJobWithEverythingIsAnsweredAsRecordedAndReplacedWith200() {
    createCollection();
    String job =
        "{`properties`:{`StartTime`:`2015-12-09T21:20:05.1645070Z`,`action`:{`type`:`Https`,"
            + "`request`:{`method`:`get`,`uri`:`https://example.org`,`headers`:{`ConTent-tYPe`:`a`},"
            + "`body`:`x`},`retryPolicy`:{`retryType`:`Fixed`,`retryInterval`:`P30D`,"
            + "`retryCount`:5},`errorAction`:{`type`:`Http`,`request`:{`uri`:"
            + "`http://example.org/%2f`,`method`:`PUT`},`retryPolicy`:{`retryType`:`None`}}},"
            + "`recurrence`:{`frequency`:`Month`,`count`:100,`endTime`:`2016-11-04`,`schedule`:{"
            + "`monthlyOccurrences`:[{`day`:`Friday`,`Occurrence`:-1}],`hours`:[5,17],"
            + "`minutes`:[0]}},`state`:`Enabled`,`status`:{`executionCount`:7}}}";
    String answer =
        "{`id`:`COLLECTIONS/jc17255/jobs/J`,`type`:`Microsoft.Scheduler/jobCollections/jobs`,"
            + "`name`:`jc17255/J`,`properties`:{`startTime`:`2015-12-09T21:20:05.164507Z`,`action`:{"
            + "`request`:{`uri`:`https://example.org`,`method`:`get`,`headers`:{`ConTent-tYPe`:`a`},"
            + "`body`:`x`},`type`:`Https`,`retryPolicy`:{`retryType`:`fixed`,"
            + "`retryInterval`:`30.00:00:00`,`retryCount`:5},`errorAction`:{`request`:{`uri`:"
            + "`http://example.org/%2f`,`method`:`PUT`},`type`:`Http`,`retryPolicy`:"
            + "{`retryType`:`none`}}},`recurrence`:{`frequency`:`month`,`count`:100,"
            + "`endTime`:`2016-11-04T00:00:00Z`,`interval`:1,`schedule`:{`minutes`:[0],"
            + "`hours`:[5,17],`monthlyOccurrences`:[{`day`:`friday`,`occurrence`:-1}]}},"
            + "`state`:`enabled`,`status`:{`nextExecutionTime`:`2015-12-25T05:00:05.164507Z`,"
            + "`executionCount`:0,`failureCount`:0,`faultedCount`:0}}}";
    int length = answer.replace("COLLECTIONS", COLLECTIONS).length();

    assertRecorded(201, length, answer, put("/jc17255/jobs/J" + VERSION, job));
    assertRecorded(200, length, answer, put("/jc17255/jobs/J" + VERSION, job));
    assertRecorded(200, length, answer, get("/JC17255/jobs/j" + VERSION));
  }

  @Test
  void patchKeepsCountAndEndTimeAsRecorded() {
    createCollection();
    put(
        "/jc17255/jobs/j" + VERSION,
        "{`properties`:{`startTime`:`2015-12-10`,`action`:{`type`:`Http`,`request`:{`uri`:"
            + "`http://h/`,`method`:`GET`}},`recurrence`:{`frequency`:`Week`,`interval`:2,"
            + "`count`:10,`endTime`:`2016-11-04T00:00:00Z`}}}");

    Answer patched =
        api.patch(
            COLLECTIONS + "/jc17255/jobs/j" + VERSION,
            "{`properties`:{`startTime`:`2015-12-11`,`recurrence`:{`frequency`:`Day`,`interval`:1}}}");

    patched.assertContains(
        "`recurrence`:{`frequency`:`day`,`count`:10,"
            + "`endTime`:`2016-11-04T00:00:00Z`,`interval`:1}",
        "`nextExecutionTime`:`2015-12-11T00:00:00Z`");
    patched.assertStatus(200);
  }

  @Test
  void whatIsNotThereIsRefusedInTheRecordedWords() {
    createCollection();

    Answer job = get("/jc17255/jobs/X" + VERSION);
    Answer collection = get("/NAME" + VERSION);

    job.assertIs(404, "{`error`:{`code`:`NotFound`,`message`:`Job 'X' cannot be found.`}}");
    assertEquals("", job.header("x-ms-failure-cause"));
    collection.assertIs(
        404,
        "{`error`:{`code`:`ResourceNotFound`,`message`:`The Resource"
            + " 'Microsoft.Scheduler/jobcollections/NAME' under resource group"
            + " 'CS-SouthCentralUS-scheduler' was not found.`}}");
    assertEquals("gateway", collection.header("x-ms-failure-cause"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | MissingApiVersionParameter | The api-version query parameter (?api-version=) is required for all requests.",
        "?api-version= | MissingApiVersionParameter | The api-version query parameter (?api-version=) is required for all requests.",
        "?api-version=2020-01-01 | InvalidApiVersionParameter | The api-version '2020-01-01' is invalid. The supported versions are '2016-03-01,2016-01-01,2014-08-01-preview'."
      })
  void aRequestNeedsAVersionOfTheApi(String query, String code, String message) {
    Answer answer = get(query);

    answer.assertIs(400, "{`error`:{`code`:`" + code + "`,`message`:`" + message + "`}}");
    assertEquals("gateway", answer.header("x-ms-failure-cause"));
  }

  @Test
  void everyAnswerHasTheRecordedHeaders() {
    Answer list = get(VERSION);
    Answer error = get("/x" + VERSION);
    Answer empty = api.delete(COLLECTIONS + "/x" + VERSION);

    for (Answer answer : List.of(list, error, empty)) {
      String correlation = answer.header("x-ms-correlation-request-id");
      assertEquals("no-cache", answer.header("Cache-Control"));
      assertEquals("no-cache", answer.header("Pragma"));
      assertEquals("-1", answer.header("Expires"));
      assertTrue(answer.header("x-ms-request-id").matches(GUID));
      assertTrue(correlation.matches(GUID));
      assertEquals(
          "WESTUS:20151209T211849Z:" + correlation, answer.header("x-ms-routing-request-id"));
    }
    assertEquals("application/json; charset=utf-8", list.header("Content-Type"));
    assertEquals("application/json; charset=utf-8", error.header("Content-Type"));
    assertEquals("", empty.header("Content-Type"));
    assertNotEquals(list.header("x-ms-request-id"), error.header("x-ms-request-id"));
  }

  @Test
  void aCorrelationIsCarriedOn() {
    Answer answer = api.get(COLLECTIONS + VERSION, "x-ms-correlation-request-id", "mine");

    assertEquals("mine", answer.header("x-ms-correlation-request-id"));
    assertEquals("WESTUS:20151209T211849Z:mine", answer.header("x-ms-routing-request-id"));
    assertTrue(answer.header("x-ms-request-id").matches(GUID));
  }

  @Test
  void whatASubscriptionMayStillAskIsCountedDown() {
    String reads = "x-ms-ratelimit-remaining-subscription-reads";
    String writes = "x-ms-ratelimit-remaining-subscription-writes";
    String burstReads = "x-ms-ratelimit-burst-remaining-scheduler-reads";

    Answer first = get(VERSION);
    Answer second = get(PREVIEW);
    Answer write = api.delete(COLLECTIONS + "/x" + VERSION);
    Answer other = api.get(COLLECTIONS.replace("4444", "5555") + VERSION);
    api.moveTo(RECORDED.plus(Duration.ofMinutes(2)));
    Answer nextBurst = get(VERSION);
    api.moveTo(RECORDED.plus(Duration.ofHours(1)));
    Answer nextHour = get(VERSION);

    assertEquals("14999", first.header(reads));
    assertEquals("719", first.header(burstReads));
    assertEquals("", first.header(writes));
    assertEquals("14998", second.header(reads));
    assertEquals("", second.header(burstReads));
    assertEquals("1199", write.header(writes));
    assertEquals("179", write.header("x-ms-ratelimit-burst-remaining-scheduler-writes"));
    assertEquals("14999", other.header(reads));
    assertEquals("14997", nextBurst.header(reads));
    assertEquals("719", nextBurst.header(burstReads));
    assertEquals("14999", nextHour.header(reads));
  }

  @Test
  void whoeverAsksTooMuchIsToldWhenToComeAgain() {
    try (ApiServer strict = new ApiServer(setup -> setup.budget = new ArmSettings(9, 9, 9, 1))) {
      strict.moveTo(RECORDED);
      strict.get(COLLECTIONS + VERSION);
      Answer refused = strict.get(COLLECTIONS + VERSION);
      strict.moveTo(RECORDED.plusSeconds(71));

      refused.assertIs(
          429,
          "{`error`:{`code`:`TooManyRequests`,`message`:`Subscription"
              + " '00000000-1111-2222-3333-444444444444' has no reads left on this node;"
              + " try again in 71 seconds.`}}");
      assertEquals("71", refused.header("Retry-After"));
      strict.get(COLLECTIONS + VERSION).assertStatus(200);
      strict.get("/jobcollections").assertStatus(200);
    }
  }

  @Test
  void theProviderDescribesItself() {
    Answer provider =
        api.get(SUBSCRIPTION + "/providers/Microsoft.Scheduler?api-version=2018-05-01");
    Answer list = api.get(SUBSCRIPTION + "/providers?api-version=2018-05-01");
    Answer registered =
        api.post(SUBSCRIPTION + "/providers/microsoft.scheduler/register?api-version=2018-05-01");

    provider.assertStartsWith(
        "{`id`:`"
            + SUBSCRIPTION
            + "/providers/Microsoft.Scheduler`,`namespace`:`Microsoft.Scheduler`,"
            + "`resourceTypes`:[{`resourceType`:`jobcollections`,`locations`:[");
    provider.assertEndsWith(
        "`apiVersions`:[`2016-03-01`,`2016-01-01`,`2014-08-01-preview`]}],"
            + "`registrationState`:`Registered`}");
    assertEquals("{\"value\":[" + provider.body() + "],\"nextLink\":null}", list.body());
    registered.assertIs(200, provider.body());
    assertTrue(provider.header("x-ms-request-id").matches(GUID));
  }

  @Test
  void theProviderNamesItsOperations() {
    Answer answer = api.get("/providers/Microsoft.Scheduler/operations" + VERSION);

    answer.assertContains(
        "{`name`:`Microsoft.Scheduler/jobcollections/jobs/run/action`,`display`:"
            + "{`provider`:`Microsoft Scheduler`,`resource`:`Job`,"
            + "`operation`:`Run Job`}}");
    answer.assertStatus(200);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /providers/Microsoft.Scheduler/operations, 400",
    "POST, /providers/Microsoft.Scheduler/operations?api-version=2016-03-01, 405",
    "GET, /subscriptions/s/providers/Microsoft.Scheduler/register?api-version=2016-03-01, 405",
    "GET, /subscriptions/s/providers/Microsoft.Compute?api-version=2016-03-01, 404",
    "GET, /subscriptions/%ff/providers?api-version=2016-03-01, 400"
  })
  void whatTheProviderDoesNotTellIsRefused(String method, String path, int status) {
    api.send(method, path, null).assertStatus(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"southcentralus", "South Central US", "SOUTH central us"})
  void aLocationIsAnsweredByItsDisplayName(String location) {
    Answer answer = put("/c" + VERSION, "{`location`:`" + location + "`}");

    answer.assertContains("`location`:`South Central US`");
  }
}
