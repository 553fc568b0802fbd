package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of the attempt settings of an action, as clients write and read them. */
class AttemptControlApiTest extends WithScheduledJobs {
  private static final String REQUEST =
      "`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}";

  private static String job(String more) {
    return "{`action`:{" + REQUEST + more + "}}";
  }

  private static String withErrorAction(String more) {
    return ",`errorAction`:{" + REQUEST + more + "}";
  }

  private JsonObject action(String job) {
    return get(JOBS + job).getJsonObject("action");
  }

  @Test
  void eachActionIsAnsweredWithItsOwnTimeout() {
    put("j", job(",`timeout`:`00:05:00`" + withErrorAction(",`timeout`:`PT5S`")));

    assertEquals("PT5M", action("j").getString("timeout"));
    assertEquals("PT5S", action("j").getJsonObject("errorAction").getString("timeout"));
  }

  @Test
  void aChangeKeepsATimeoutUntilItIsNull() {
    put("j", job(",`timeout`:`PT5M`"));

    api.patch(JOBS + "j", "{`action`:{`request`:{`method`:`POST`}}}").assertStatus(200);
    assertEquals("PT5M", action("j").getString("timeout"));

    api.patch(JOBS + "j", "{`action`:{`timeout`:null}}").assertStatus(200);
    assertEquals(null, action("j").getString("timeout"));
  }

  @Test
  void resourceManagerHasTheSameProperties() {
    api.put(arm("a"), "{`properties`:" + job(",`Timeout`:`PT5M`") + "}").assertStatus(201);

    assertEquals(
        "00:05:00",
        api.get(arm("a"))
            .assertStatus(200)
            .json()
            .getJsonObject("properties")
            .getJsonObject("action")
            .getString("timeout"));
  }

  @Test
  void statusesAreAnsweredInTheClientsOrderAndReplacedAsAWhole() {
    put(
        "j",
        job(",`successOn`:[`2XX`,404],`retryPolicy`:{`retryType`:`fixed`,`giveUpOn`:[`4xx`,501]}"));
    assertEquals(List.of("2xx", "404"), action("j").getJsonArray("successOn").getList());
    assertEquals(
        List.of("4xx", "501"),
        action("j").getJsonObject("retryPolicy").getJsonArray("giveUpOn").getList());

    api.patch(JOBS + "j", "{`action`:{`retryPolicy`:{`giveUpOn`:`410`},`successOn`:null}}")
        .assertStatus(200);
    assertEquals(
        List.of("410"),
        action("j").getJsonObject("retryPolicy").getJsonArray("giveUpOn").getList());
    assertEquals(null, action("j").getJsonArray("successOn"));
  }
}
