package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Cloud services over HTTP. */
class CloudServiceApiTest extends WithCloudService {
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
}
