package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Job collections in the classic dialect. */
class ClassicCollectionApiTest extends WithCloudService {
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
  void aCollectionIsUpdatedOnlyWithItsETag() {
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
}
