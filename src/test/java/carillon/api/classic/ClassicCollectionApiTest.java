package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.Answer;
import org.junit.jupiter.api.Test;

/** Test of job collections in the classic dialect. */
class ClassicCollectionApiTest extends WithCloudService {
  @Test
  void theSameCollectionIsThereInEveryDialect() {
    classic.put(JOBS + "/Daily" + VERSION, JOB);

    String arm = api.get(ARM + "/c1?api-version=2016-03-01").body();
    String armJob = api.get(ARM + "/c1/jobs/daily?api-version=2016-03-01").body();
    api.put("/jobcollections/c3", "{`sku`:`Free`}");
    String nativeOne =
        classic
            .get("/default/cloudservices/default/resources/scheduler/~/jobcollections/c3")
            .body();

    assertTrue(arm.contains("\"location\":\"West Europe\""), arm);
    assertTrue(arm.contains("\"sku\":{\"name\":\"Standard\"}"), arm);
    assertTrue(armJob.contains("\"name\":\"c1/Daily\""), armJob);
    assertTrue(nativeOne.contains("<Plan>Free</Plan>"), nativeOne);
  }

  @Test
  void aCollectionIsReadWithAndWithoutTilde() {
    Answer with = classic.get(TILDE + VERSION);
    Answer without = classic.get(C);

    assertEquals(with.body(), without.body());
    with.assertStartsWith(
        "<Resource"
            + NAMESPACES
            + "><CloudServiceSettings><GeoRegion>West Europe</GeoRegion>"
            + "</CloudServiceSettings><ETag>00000000-");
  }

  @Test
  void aCollectionIsUpdatedOnlyWithItsETag() {
    String body =
        "<Resource><ETag/><IntrinsicSettings><Plan>Free</Plan></IntrinsicSettings></Resource>";
    String etag = etagOf(classic.get(TILDE));

    Answer repeated = classic.put(C, RESOURCE);
    Answer unconditional = classic.put(C, RESOURCE.replace("Standard", "Free"));
    Answer withoutHeader = classic.put(C, body);
    Answer updated = classic.put(C, body, "If-Match", etag);
    Answer stale = classic.put(C, body.replace("Free", "Standard"), "If-Match", etag);
    Answer any = classic.put(C, body, "If-Match", "*");

    repeated.assertStatus(202);
    assertEquals(etag, repeated.header("ETag"));
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
    updated.assertStatus(202);
    assertNotEquals(etag, updated.header("ETag"));
    assertEquals(updated.header("ETag"), etagOf(classic.get(TILDE)));
    assertError(
        409,
        "ConflictError",
        "Job collection 'c1' has another ETag than If-Match names; read it again.",
        stale);
    any.assertStatus(202);
    classic.put(C.replace("c1", "none"), body, "If-Match", etag).assertStatus(404);
  }

  @Test
  void aStoppedCollectionIsADisabledOne() {
    String stop = "<Resource><ETag/><State>Stopped</State></Resource>";

    classic.put(C, stop, "If-Match", "*");

    classic.get(TILDE).assertContains("<State>Stopped</State>");
    api.get(ARM + "/c1?api-version=2016-03-01").assertContains("`state`:`Disabled`");
    assertEquals(":1", api.redis.ask("HEXISTS carillon:gates s1/cs1/c1"));
  }

  @Test
  void aLabelOutlivesWhatOtherDialectsChange() {
    classic.put(C, "<Resource><ETag/><Label>YmxhY2s=</Label></Resource>", "If-Match", "*");

    api.patch(ARM + "/c1?api-version=2016-03-01", "{`tags`:{`a`:`1`}}");
    api.post(ARM + "/c1/disable?api-version=2016-03-01");

    classic.get(TILDE).assertContains("<Label>YmxhY2s=</Label>");
    classic.get(CS).assertContains("<Label>YmxhY2s=</Label>");
  }

  @Test
  void aCollectionNeedsItsCloudService() {
    Answer answer =
        classic.put("/s1/cloudservices/none/resources/scheduler/jobcollections/c", RESOURCE);

    assertError(404, "ResourceNotFound", "The cloud service 'none' was not found.", answer);
  }

  @Test
  void aDeletedCollectionIsGone() {
    classic.delete(C).assertStatus(202);
    classic.delete(C).assertStatus(404);
    classic.get(TILDE).assertStatus(404);
    classic.get(CS).assertStatus(200);
  }

  @Test
  void namesAreCheckedByGetAndByPost() {
    String path =
        CS + "/resources/scheduler/JobCollections/?op=checknameavailability&resourceName=";
    String taken =
        "<ResourceNameAvailabilityResponse"
            + NAMESPACES
            + "><IsAvailable>false</IsAvailable></ResourceNameAvailabilityResponse>";

    assertEquals(taken, classic.get(path + "C1").body());
    assertEquals(taken, classic.post(path.replace("/?", "?") + "c1").body());
    assertEquals(taken.replace("false", "true"), classic.get(path + "c9").body());
    classic.get(path.replace("cs1", "none") + "c9").assertStatus(404);
    assertError(
        400,
        "MissingOrInvalidRequiredQueryParameter",
        "resourceName: this query parameter is missing",
        classic.get(path));
    assertError(
        400,
        "MissingOrInvalidRequiredQueryParameter",
        "op: 'x' must be checknameavailability",
        classic.get(path.replace("=check", "=x&y=").replace("nameavailability", "")));
  }
}
