package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.ApiServer;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassicApiTest {
  private static final String NAMESPACES =
      " xmlns=\"http://schemas.microsoft.com/windowsazure\""
          + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"";
  private static final String SERVICE =
      "<CloudService xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
          + " xmlns=\"http://schemas.microsoft.com/windowsazure\"><Label>label</Label>"
          + "<Description>description</Description><GeoRegion>West Europe</GeoRegion>"
          + "</CloudService>";
  private static final String RESOURCE =
      "<Resource xmlns=\"http://schemas.microsoft.com/windowsazure\"><IntrinsicSettings>"
          + "<plan>Standard</plan></IntrinsicSettings></Resource>";
  private static final String JOB =
      "{\"action\":{\"type\":\"Http\",\"request\":{\"uri\":\"http://127.0.0.1:9/a\",\"method\":\"GET\"}},"
          + "\"recurrence\":{\"frequency\":\"Day\"}}";
  private static final String CS = "/s1/cloudservices/cs1";
  private static final String C = CS + "/resources/scheduler/jobcollections/c1";
  private static final String TILDE = CS + "/resources/scheduler/~/JobCollections/c1";
  private static final String JOBS = TILDE + "/jobs";
  private static final String VERSION = "?api-version=2014-04-01";
  private static final String ARM =
      "/subscriptions/s1/resourceGroups/cs1/providers/Microsoft.Scheduler/jobCollections";

  private ApiServer api;

  @BeforeEach
  void startWithACollection() {
    api = new ApiServer();
    send("PUT", CS, SERVICE);
    send("PUT", C, RESOURCE);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  /** As every client does, with a version. */
  private HttpResponse<String> send(String method, String path, String body, String... headers) {
    String[] all =
        Stream.concat(Stream.of("x-ms-version", "2013-03-01"), Arrays.stream(headers))
            .toArray(String[]::new);
    return api.send(method, path, body, all);
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static void assertError(
      int status, String code, String message, HttpResponse<String> answer) {
    assertEquals(
        "<Error"
            + NAMESPACES
            + "><Code>"
            + code
            + "</Code><Message>"
            + message
            + "</Message></Error>",
        answer.body());
    assertEquals(status, answer.statusCode());
    assertEquals("application/xml; charset=utf-8", header(answer, "Content-Type"));
    assertTrue(header(answer, "x-ms-request-id").matches("[0-9a-f]{32}"));
  }

  private static void assertJsonError(
      int status, String code, String message, HttpResponse<String> answer) {
    assertEquals(
        "{\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}}", answer.body());
    assertEquals(status, answer.statusCode());
  }

  @Test
  void everyAnswerNamesItsRequestAndItsRegion() {
    HttpResponse<String> created = send("PUT", "/s1/CloudServices/cs2", SERVICE);
    HttpResponse<String> again = send("PUT", "/s1/CloudServices/cs2", SERVICE);

    assertEquals(202, created.statusCode());
    assertEquals("", created.body());
    assertEquals("West US", header(created, "x-ms-servedbyregion"));
    assertEquals("no-cache", header(created, "Cache-Control"));
    assertTrue(
        header(created, "ETag").matches("00000000-0000-0000-[0-9a-f]{4}-[0-9a-f]{12}"),
        header(created, "ETag"));
    assertTrue(header(created, "x-ms-request-id").matches("[0-9a-f]{32}"));
    assertNotEquals(header(created, "x-ms-request-id"), header(again, "x-ms-request-id"));
  }

  @Test
  void aCloudServiceIsReadWithItsCollections() {
    HttpResponse<String> one = send("GET", "/S1/CLOUDSERVICES/CS1", null);
    HttpResponse<String> all = send("GET", "/s1/CloudServices", null);

    assertEquals(200, one.statusCode());
    assertTrue(
        one.body()
            .startsWith(
                "<CloudService"
                    + NAMESPACES
                    + "><Name>cs1</Name><Label>label</Label><Description>description</Description>"
                    + "<GeoRegion>West Europe</GeoRegion><Resources><Resource>"
                    + "<ResourceProviderNamespace>Scheduler</ResourceProviderNamespace>"
                    + "<Type>jobcollections</Type><Name>c1</Name>"),
        one.body());
    assertFalse(header(one, "ETag").isEmpty());
    assertTrue(all.body().startsWith("<CloudServices" + NAMESPACES + "><CloudService><Name>cs1"));
  }

  @Test
  void aGroupOfAnotherDialectIsACloudServiceAsWell() {
    api.send(
        "PUT",
        "/subscriptions/s1/resourceGroups/Rg2/providers/Microsoft.Scheduler/jobCollections/c2"
            + "?api-version=2016-03-01",
        "{\"location\":\"westus\"}");

    String one = send("GET", "/s1/cloudservices/RG2", null).body();
    String all = send("GET", "/s1/cloudservices", null).body();

    assertTrue(
        one.contains(
            "<Name>Rg2</Name><Label>Rg2</Label>"
                + "<Description>Resource group based cloud service.</Description>"
                + "<GeoRegion>West US</GeoRegion>"),
        one);
    assertTrue(all.indexOf("<Name>cs1</Name>") < all.indexOf("<Name>Rg2</Name>"), all);
  }

  @Test
  void deletingACloudServiceDeletesWhatIsInIt() {
    send("PUT", JOBS + "/j" + VERSION, JOB);

    HttpResponse<String> deleted = send("DELETE", CS, null);

    assertEquals(202, deleted.statusCode());
    assertError(
        404, "ResourceNotFound", "The cloud service 'cs1' was not found.", send("GET", CS, null));
    assertEquals(404, send("DELETE", CS, null).statusCode());
    assertEquals(404, send("GET", JOBS + "/j", null).statusCode());
    assertEquals(
        "<CloudServices" + NAMESPACES + "></CloudServices>",
        send("GET", "/s1/cloudservices", null).body());
  }

  @Test
  void theSameCollectionIsThereInEveryDialect() {
    send("PUT", JOBS + "/Daily" + VERSION, JOB);

    String arm = api.send("GET", ARM + "/c1?api-version=2016-03-01", null).body();
    String armJob = api.send("GET", ARM + "/c1/jobs/daily?api-version=2016-03-01", null).body();
    api.send("PUT", "/jobcollections/c3", "{\"sku\":\"Free\"}");
    String nativeOne =
        send("GET", "/default/cloudservices/default/resources/scheduler/~/jobcollections/c3", null)
            .body();

    assertTrue(arm.contains("\"location\":\"West Europe\""), arm);
    assertTrue(arm.contains("\"sku\":{\"name\":\"Standard\"}"), arm);
    assertTrue(armJob.contains("\"name\":\"c1/Daily\""), armJob);
    assertTrue(nativeOne.contains("<Plan>Free</Plan>"), nativeOne);
  }

  @Test
  void aCollectionIsReadWithAndWithoutTilde() {
    HttpResponse<String> with = send("GET", TILDE + VERSION, null);
    HttpResponse<String> without = send("GET", C, null);

    assertEquals(with.body(), without.body());
    assertTrue(
        with.body()
            .startsWith(
                "<Resource"
                    + NAMESPACES
                    + "><CloudServiceSettings><GeoRegion>West Europe</GeoRegion>"
                    + "</CloudServiceSettings><ETag>00000000-"),
        with.body());
  }

  @Test
  void aCollectionIsUpdatedOnlyByWhoKnowsIt() {
    String body =
        "<Resource><ETag/><IntrinsicSettings><Plan>Free</Plan></IntrinsicSettings></Resource>";
    String etag = etagOf(send("GET", TILDE, null));

    HttpResponse<String> repeated = send("PUT", C, RESOURCE);
    HttpResponse<String> unconditional = send("PUT", C, RESOURCE.replace("Standard", "Free"));
    HttpResponse<String> withoutHeader = send("PUT", C, body);
    HttpResponse<String> updated = send("PUT", C, body, "If-Match", etag);
    HttpResponse<String> stale = send("PUT", C, body.replace("Free", "Standard"), "If-Match", etag);
    HttpResponse<String> any = send("PUT", C, body, "If-Match", "*");

    assertEquals(202, repeated.statusCode());
    assertEquals(etag, header(repeated, "ETag"));
    assertError(
        409,
        "ConflictError",
        "Job collection 'c1' exists already; to change it, send If-Match with its ETag.",
        unconditional);
    assertError(
        400,
        "BadRequest",
        "If-Match: is missing; an update needs it beside the ETag element.",
        withoutHeader);
    assertEquals(202, updated.statusCode());
    assertNotEquals(etag, header(updated, "ETag"));
    assertEquals(header(updated, "ETag"), etagOf(send("GET", TILDE, null)));
    assertError(
        409,
        "ConflictError",
        "Job collection 'c1' has another ETag than If-Match names; read it again.",
        stale);
    assertEquals(202, any.statusCode());
    assertEquals(404, send("PUT", C.replace("c1", "none"), body, "If-Match", etag).statusCode());
  }

  private static String etagOf(HttpResponse<String> answer) {
    return answer.body().replaceAll(".*<ETag>(.*)</ETag>.*", "$1");
  }

  @Test
  void aStoppedCollectionIsADisabledOne() {
    String stop = "<Resource><ETag/><State>Stopped</State></Resource>";

    send("PUT", C, stop, "If-Match", "*");

    assertTrue(send("GET", TILDE, null).body().contains("<State>Stopped</State>"));
    assertTrue(
        api.send("GET", ARM + "/c1?api-version=2016-03-01", null)
            .body()
            .contains("\"state\":\"Disabled\""));
    assertEquals(":1", api.redis.ask("HEXISTS carillon:gates s1/cs1/c1"));
  }

  @Test
  void aLabelOutlivesWhatOtherDialectsChange() {
    send("PUT", C, "<Resource><ETag/><Label>YmxhY2s=</Label></Resource>", "If-Match", "*");

    api.send("PATCH", ARM + "/c1?api-version=2016-03-01", "{\"tags\":{\"a\":\"1\"}}");
    api.send("POST", ARM + "/c1/disable?api-version=2016-03-01", null);

    assertTrue(send("GET", TILDE, null).body().contains("<Label>YmxhY2s=</Label>"));
    assertTrue(send("GET", CS, null).body().contains("<Label>YmxhY2s=</Label>"));
  }

  @Test
  void aCollectionNeedsItsCloudService() {
    HttpResponse<String> answer =
        send("PUT", "/s1/cloudservices/none/resources/scheduler/jobcollections/c", RESOURCE);

    assertError(404, "ResourceNotFound", "The cloud service 'none' was not found.", answer);
  }

  @Test
  void aDeletedCollectionIsGone() {
    assertEquals(202, send("DELETE", C, null).statusCode());
    assertEquals(404, send("DELETE", C, null).statusCode());
    assertEquals(404, send("GET", TILDE, null).statusCode());
    assertEquals(200, send("GET", CS, null).statusCode());
  }

  @Test
  void namesAreCheckedByGetAndByPost() {
    String path =
        CS + "/resources/scheduler/JobCollections/?op=checknameavailability&resourceName=";
    String taken =
        "<ResourceNameAvailabilityResponse"
            + NAMESPACES
            + "><IsAvailable>false</IsAvailable></ResourceNameAvailabilityResponse>";

    assertEquals(taken, send("GET", path + "C1", null).body());
    assertEquals(taken, send("POST", path.replace("/?", "?") + "c1", null).body());
    assertEquals(taken.replace("false", "true"), send("GET", path + "c9", null).body());
    assertEquals(404, send("GET", path.replace("cs1", "none") + "c9", null).statusCode());
    assertError(
        400,
        "MissingOrInvalidRequiredQueryParameter",
        "resourceName: this query parameter is missing",
        send("GET", path, null));
    assertError(
        400,
        "MissingOrInvalidRequiredQueryParameter",
        "op: 'x' must be checknameavailability",
        send("GET", path.replace("=check", "=x&y=").replace("nameavailability", ""), null));
  }

  @Test
  void entitlementAndRegistrationAreAccepted() {
    String entitle =
        "<EntitleResource xmlns=\"http://schemas.microsoft.com/windowsazure\">"
            + "<ResourceProviderNameSpace>scheduler</ResourceProviderNameSpace>"
            + "<Type>JobCollections</Type><RegistrationDate>2014-04-01T00:00:00.000Z"
            + "</RegistrationDate></EntitleResource>";
    String services = "/s1/services?service=scheduler.JobCollections&action=";

    assertEquals(202, send("POST", "/s1/EntitleResource", entitle).statusCode());
    assertEquals(200, send("PUT", services + "register", null).statusCode());
    assertEquals(200, send("PUT", services + "unregister", null).statusCode());
    assertError(
        400,
        "InvalidXmlRequest",
        "Type: 'queues' must be jobcollections",
        send("POST", "/s1/EntitleResource", entitle.replace("JobCollections", "queues")));
    assertError(
        400,
        "MissingOrInvalidRequiredQueryParameter",
        "action: 'buy' must be register or unregister",
        send("PUT", services + "buy", null));
  }

  @Test
  void theProviderNamesItsRegions() {
    String path = "/s1/resourceproviders/scheduler/Properties?resourceType=JobCollections";

    String answer = send("GET", path, null).body();

    assertTrue(
        answer.startsWith(
            "<ResourceProviderProperties"
                + NAMESPACES
                + "><ResourceProviderProperty><Key>SupportedGeoRegions</Key><Value>"),
        answer);
    assertTrue(answer.contains(",West Europe,"), answer);
  }

  @Test
  void howARequestWentCanBeAskedOfAnyNode() {
    HttpResponse<String> created = send("PUT", "/s1/cloudservices/cs3", SERVICE);
    HttpResponse<String> job = send("PUT", JOBS + "/j", JOB);
    HttpResponse<String> refused = send("PUT", C, RESOURCE.replace("Standard", "Free"));
    String id = header(created, "x-ms-request-id");

    String succeeded;
    try (ApiServer other = new ApiServer(RedisServer.shared())) {
      succeeded = other.send("GET", "/S1/operations/" + id, null, "x-ms-version", "1").body();
    }

    assertEquals(
        "<Operation"
            + NAMESPACES
            + "><ID>"
            + id.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5")
            + "</ID><Status>Succeeded</Status><HttpStatusCode>200</HttpStatusCode></Operation>",
        succeeded);
    assertTrue(operation("s1", job).contains("<Status>Succeeded</Status>"));
    assertTrue(
        operation("s1", refused)
            .contains(
                "<Status>Failed</Status><HttpStatusCode>409</HttpStatusCode><Error>"
                    + "<Code>ConflictError</Code>"),
        operation("s1", refused));
    assertTrue(operation("s2", created).contains("<Code>ResourceNotFound</Code>"));
    assertError(
        404,
        "ResourceNotFound",
        "The operation 'x' was not found.",
        send("GET", "/s1/operations/x", null));
  }

  private String operation(String subscription, HttpResponse<String> answer) {
    return send(
            "GET", "/" + subscription + "/operations/" + header(answer, "x-ms-request-id"), null)
        .body();
  }

  @Test
  void jobsLiveAsElsewhere() {
    HttpResponse<String> created = send("PUT", JOBS + "/j" + VERSION, JOB);
    HttpResponse<String> replaced = send("PUT", JOBS + "/j" + VERSION, JOB);
    HttpResponse<String> posted = send("POST", JOBS + VERSION, JOB);
    HttpResponse<String> patched =
        send("PATCH", JOBS + "/j" + VERSION, "{\"state\":\"Disabled\",\"stateDetails\":\"tired\"}");
    HttpResponse<String> read = send("GET", JOBS + "/j" + VERSION, null);
    HttpResponse<String> deleted = send("DELETE", JOBS + "/j" + VERSION, null);

    assertEquals(
        "{\"id\":\"j\",\"action\":{\"request\":{\"uri\":\"http:\\/\\/127.0.0.1:9\\/a\",\"method\":\"GET\"},"
            + "\"type\":\"http\"},\"recurrence\":{\"frequency\":\"day\",\"interval\":1},"
            + "\"state\":\"enabled\",\"status\":{\"nextExecutionTime\":\"2026-11-20T18:00:00Z\","
            + "\"executionCount\":0,\"failureCount\":0,\"faultedCount\":0}}",
        created.body());
    assertEquals(201, created.statusCode());
    assertEquals("application/json; charset=utf-8", header(created, "Content-Type"));
    assertEquals(200, replaced.statusCode());
    assertEquals(201, posted.statusCode());
    assertTrue(patched.body().endsWith("\"state\":\"disabled\"}"), patched.body());
    assertEquals(patched.body(), read.body());
    assertEquals(200, deleted.statusCode());
    assertEquals("", deleted.body());
    assertJsonError(404, "NotFound", "Job 'j' cannot be found.", send("DELETE", JOBS + "/j", null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"status\":{}}            | status: is set by the scheduler only; leave it out",
        "{\"id\":\"other\"}         | id: 'other' must be the id in the path, or be left out",
        "{\"state\":\"completed\"}  | state: 'completed' is set by the scheduler only; use enabled or disabled"
      })
  void whatAPatchMayNotSay(String body, String message) {
    send("PUT", JOBS + "/j", JOB);

    assertJsonError(400, "BadRequest", message, send("PATCH", JOBS + "/j", body));
    assertEquals(200, send("PATCH", JOBS + "/j", "{\"id\":\"J\"}").statusCode());
  }

  @Test
  void listsAreBareArraysThatAreSkippedThrough() {
    IntStream.range(0, 5).forEach(i -> send("PUT", JOBS + "/j" + i, JOB));
    send("PATCH", JOBS + "/j3", "{\"state\":\"disabled\"}");

    String page = send("GET", JOBS + "?$skip=1&$top=2", null).body();
    String disabled = send("GET", JOBS + VERSION + "&$filter=state%20eq%20Disabled", null).body();

    assertTrue(page.startsWith("[{\"id\":\"j1\","), page);
    assertTrue(page.contains(",{\"id\":\"j2\","), page);
    assertFalse(page.contains("j3"), page);
    assertTrue(disabled.startsWith("[{\"id\":\"j3\"") && disabled.endsWith("}]"), disabled);
  }

  @Test
  void allJobsAreSetAndDeletedAtOnce() {
    send("PUT", C, "<Resource><ETag/><IntrinsicSettings/></Resource>", "If-Match", "*");
    IntStream.range(0, 120).forEach(i -> send("PUT", JOBS + "/j" + i, JOB));

    HttpResponse<String> disabled = send("PATCH", JOBS, "{\"state\":\"Disabled\"}");
    String enabled = send("GET", JOBS + "?$filter=state%20eq%20Enabled", null).body();
    HttpResponse<String> deleted = send("DELETE", JOBS + VERSION, null);

    assertEquals(200, disabled.statusCode());
    assertTrue(disabled.body().startsWith("[{\"id\":\"j0\""), disabled.body());
    assertEquals("[]", enabled);
    assertEquals(200, deleted.statusCode());
    assertEquals("[]", send("GET", JOBS, null).body());
    assertEquals(200, send("GET", TILDE, null).statusCode());
  }

  @Test
  void theHistoryIsChosenByStatusOrByTheStateOfTheJob() {
    send("PUT", JOBS + "/j", JOB);
    for (int partition = 0; partition < 4; partition++) {
      if (api.redis.ask("EXISTS carillon:{" + partition + "}:job:s1/cs1/c1/j").equals(":1")) {
        String key = "carillon:{" + partition + "}:history:s1/cs1/c1/j";
        api.redis.ask("LPUSH " + key + " '" + entry("failed", 1) + "'");
        api.redis.ask("LPUSH " + key + " '" + entry("completed", 2) + "'");
      }
    }
    String history = JOBS + "/j/history" + VERSION;

    assertTrue(send("GET", history, null).body().startsWith("[{\"jobId\":\"j\""));
    assertEquals(2, entries(history));
    assertEquals(1, entries(history + "&$filter=status%20eq%20Failed"));
    assertEquals(1, entries(history + "&$skip=1&$top=5"));
    assertEquals(2, entries(history + "&$filter=state%20eq%20enabled"));
    assertEquals(0, entries(history + "&$filter=state%20eq%20faulted"));
    HttpResponse<String> other = send("GET", history + "&$filter=stateful%20eq%20x", null);
    assertEquals(400, other.statusCode());
    assertTrue(
        other.body().contains("$filter: 'stateful eq x' must be of the form: status eq X"),
        other.body());
  }

  private static String entry(String status, int occurrence) {
    return "{\"end\":\"2026-11-20T18:00:00.000Z\",\"start\":\"2026-11-20T18:00:00Z\","
        + "\"due\":\"2026-11-20T18:00:00Z\",\"status\":\""
        + status
        + "\",\"action\":\"main\",\"occurrence\":"
        + occurrence
        + ",\"retry\":0,\"execution\":\"e\",\"message\":\"m\"}";
  }

  private long entries(String path) {
    return Arrays.stream(send("GET", path, null).body().split("jobId", -1)).count() - 1;
  }

  @Test
  void aRequestMustNameAVersion() {
    assertError(
        400,
        "MissingOrIncorrectVersionHeader",
        "x-ms-version: this header is missing; send a version such as 2013-03-01.",
        api.send("GET", CS, null));
    assertJsonError(
        400,
        "MissingOrIncorrectVersionHeader",
        "x-ms-version: this header is missing; send a version such as 2013-03-01.",
        api.send("GET", JOBS, null));
    assertEquals(200, api.send("GET", CS, null, "x-ms-version", "anything").statusCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST   | /s1/cloudservices            | GET",
        "PATCH  | /s1/cloudservices/cs1        | GET, PUT, DELETE",
        "POST   | /s1/cloudservices/cs1/resources/scheduler/jobcollections/c1 | GET, PUT, DELETE",
        "PUT    | /s1/cloudservices/cs1/resources/scheduler/jobcollections | GET, POST",
        "GET    | /s1/EntitleResource          | POST",
        "DELETE | /s1/operations/1             | GET",
        "POST   | /s1/services                 | PUT",
        "PUT    | /s1/resourceproviders/scheduler/properties | GET"
      })
  void aWrongMethodIsToldTheRightOnes(String method, String path, String allowed) {
    HttpResponse<String> answer = send(method, path, null);

    assertError(
        400,
        "InvalidHttpVerb",
        "The method '" + method + "' is not allowed here; use " + allowed + ".",
        answer);
    assertEquals(allowed, header(answer, "Allow"));
  }

  @Test
  void aWrongMethodOnJobsIsToldInJson() {
    assertJsonError(
        400,
        "InvalidHttpVerb",
        "The method 'PUT' is not allowed here; use GET, POST, PATCH, DELETE.",
        send("PUT", JOBS, JOB));
    assertEquals(400, send("POST", JOBS + "/j", JOB).statusCode());
    assertEquals(400, send("PUT", JOBS + "/j/history", JOB).statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "/s1/operations",
    "/s1/services/x",
    "/s1/resourceproviders/scheduler",
    "/s1/resourceproviders/cache/properties?resourceType=jobcollections",
    "/s1/cloudservices/cs1/resources",
    "/s1/cloudservices/cs1/resources/cache/jobcollections/c1",
    "/s1/cloudservices/cs1/resources/scheduler/~/jobcollections/c1/jobs/j/run",
    "/s1/cloudservices/cs1/resources/scheduler/~/jobcollections/c1/enable",
    "/s1/cloudservices/cs1/resources/scheduler/~/jobcollections/c1/jobs/j/history/1"
  })
  void whatIsNotThereIsNotFound(String path) {
    HttpResponse<String> answer = send("GET", path, null);

    assertEquals(404, answer.statusCode());
    assertTrue(answer.body().contains("<Code>ResourceNotFound</Code>"), answer.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT | /s1/cloudservices/x | <CloudService><Label>l</Label><Description>d</Description></CloudService> | GeoRegion: is missing or empty",
        "PUT | /s1/cloudservices/x | <CloudService><Label>l</Label><Label>l</Label></CloudService> | Label: is given twice",
        "PUT | /s1/cloudservices/x | <Resource/> | Malformed XML: the root element is 'Resource'; it must be CloudService",
        "PUT | /s1/cloudservices/x | {} | Malformed XML: it is not well-formed at line 1, column 1",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><IntrinsicSettings><Plan>Gold</Plan></IntrinsicSettings></Resource> | sku: 'Gold' must be one of free, standard, p10premium, p20premium, premium",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><IntrinsicSettings><Quota><MaxJobCount>many</MaxJobCount></Quota></IntrinsicSettings></Resource> | quota.maxJobCount: 'many' must be a whole number from 1 to 2147483647",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><IntrinsicSettings><Quota><MaxRecurrence/></Quota></IntrinsicSettings></Resource> | quota.maxRecurrence.frequency: is missing",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><Label>no base64!</Label></Resource> | Label: must be base64 of a text in UTF-8",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><State>Updating</State></Resource> | State: 'Updating' must be one of started, stopped, suspended",
        "POST | /s1/EntitleResource | <EntitleResource/> | ResourceProviderNameSpace: is missing or empty"
      })
  void aDocumentThatBreaksARuleIsRefused(String method, String path, String body, String message) {
    assertError(
        400, "InvalidXmlRequest", message, send(method, path, body, "Content-Type", "text/xml"));
  }

  @Test
  void aTextThatIsTooLongIsRefused() {
    String longLabel = SERVICE.replace("label", "l".repeat(101));
    String longDescription = SERVICE.replace("description", "d".repeat(1025));

    assertError(
        400,
        "InvalidXmlRequest",
        "Label: 101 characters are more than the 100 allowed",
        send("PUT", CS, longLabel));
    assertError(
        400,
        "InvalidXmlRequest",
        "Description: 1025 characters are more than the 1024 allowed",
        send("PUT", CS, longDescription));
  }

  @Test
  void everyContentTypeOfAClientIsTaken() {
    for (String type :
        new String[] {
          "application/xml",
          "text/xml; charset=utf-8",
          "application/atom+xml;type=entry;charset=utf-8"
        }) {
      assertEquals(202, send("PUT", CS, SERVICE, "Content-Type", type).statusCode(), type);
    }
    assertEquals(415, send("PUT", CS, SERVICE, "Content-Type", "application/json").statusCode());
    assertEquals(
        415,
        send("PUT", CS, SERVICE, "Content-Type", "application/xml; charset=utf-16").statusCode());
    assertEquals(
        415, send("PUT", JOBS + "/j", JOB, "Content-Type", "application/xml").statusCode());
    assertEquals(
        415,
        api.send("PUT", "/jobcollections/c", "<a/>", "Content-Type", "application/xml")
            .statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "/s1/cloudservices/a%20b",
    "/s1/cloudservices/%2e%2e",
    "/s1/cloudservices/a%7Db",
    "/s%00/cloudservices/a",
    "/s1/cloudservices/a%0d%0ab"
  })
  void aBadNameIsRefused(String path) {
    HttpResponse<String> answer = send("PUT", path, SERVICE);

    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().startsWith("<Error"), answer.body());
    assertEquals(
        400, send("PUT", CS + "/resources/scheduler/jobcollections/a%20b", RESOURCE).statusCode());
  }

  @Test
  void whatCannotBeDecodedIsRefused() {
    assertEquals(400, send("GET", "/s1/cloudservices/%ff", null).statusCode());
  }

  @Test
  void withoutRedisTheServerIsBusy() throws Exception {
    try (RedisServer redis = RedisServer.start();
        ApiServer alone = new ApiServer(redis)) {
      redis.stop();

      HttpResponse<String> answer =
          alone.send("GET", "/s1/cloudservices", null, "x-ms-version", "1");

      assertEquals(503, answer.statusCode());
      assertEquals("1", header(answer, "Retry-After"));
      assertTrue(answer.body().contains("<Code>ServerBusy</Code>"), answer.body());
    }
  }

  @Test
  void aJobCannotBeLargerThanDocumented() {
    String large =
        JOB.replace(
            "\"method\":\"GET\"", "\"method\":\"PUT\",\"body\":\"" + "b".repeat(9000) + "\"");

    assertJsonError(
        400,
        "BadRequest",
        "action.request.body: 9000 bytes are more than the 8192 allowed",
        send("PUT", JOBS + "/j", large));
  }
}
