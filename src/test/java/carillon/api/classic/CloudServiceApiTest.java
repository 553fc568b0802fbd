package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.Answer;
import org.junit.jupiter.api.Test;

/** Test of cloud services over HTTP. */
class CloudServiceApiTest extends WithCloudService {
  @Test
  void everyAnswerNamesItsRequestAndItsRegion() {
    Answer created = classic.put("/s1/CloudServices/cs2", SERVICE);
    Answer again = classic.put("/s1/CloudServices/cs2", SERVICE);

    created.assertIs(202, "");
    assertEquals("West US", created.header("x-ms-servedbyregion"));
    assertEquals("no-cache", created.header("Cache-Control"));
    assertTrue(
        created.header("ETag").matches("00000000-0000-0000-[0-9a-f]{4}-[0-9a-f]{12}"),
        created.header("ETag"));
    assertTrue(created.header("x-ms-request-id").matches("[0-9a-f]{32}"));
    assertNotEquals(created.header("x-ms-request-id"), again.header("x-ms-request-id"));
  }

  @Test
  void aCloudServiceIsReadWithItsCollections() {
    Answer one = classic.get("/S1/CLOUDSERVICES/CS1");
    Answer all = classic.get("/s1/CloudServices");

    one.assertStatus(200);
    one.assertStartsWith(
        "<CloudService"
            + NAMESPACES
            + "><Name>cs1</Name><Label>label</Label><Description>description</Description>"
            + "<GeoRegion>West Europe</GeoRegion><Resources><Resource>"
            + "<ResourceProviderNamespace>Scheduler</ResourceProviderNamespace>"
            + "<Type>jobcollections</Type><Name>c1</Name>");
    assertFalse(one.header("ETag").isEmpty());
    all.assertStartsWith("<CloudServices" + NAMESPACES + "><CloudService><Name>cs1");
  }

  @Test
  void aGroupOfAnotherDialectIsACloudServiceAsWell() {
    api.put(
        "/subscriptions/s1/resourceGroups/Rg2/providers/Microsoft.Scheduler/jobCollections/c2"
            + "?api-version=2016-03-01",
        "{`location`:`westus`}");

    String one = classic.get("/s1/cloudservices/RG2").body();
    String all = classic.get("/s1/cloudservices").body();

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
    classic.put(JOBS + "/j" + VERSION, JOB);

    classic.delete(CS).assertStatus(202);
    assertError(404, "ResourceNotFound", "The cloud service 'cs1' was not found.", classic.get(CS));
    classic.delete(CS).assertStatus(404);
    classic.get(JOBS + "/j").assertStatus(404);
    assertEquals(
        "<CloudServices" + NAMESPACES + "></CloudServices>",
        classic.get("/s1/cloudservices").body());
  }
}
