package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.ArtemisBroker;
import carillon.support.Await;
import carillon.support.Azurite;
import carillon.support.CarillonProcess;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.junit.jupiter.api.Test;

/** Test of queue actions of the packaged program, as main action and as error action. */
class QueueActionsIT extends ProcessTestBase {
  private static final String JOBS = "/jobcollections/default/jobs/";
  private static final String ARM_JOBS =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler/jobCollections/c";
  private static final String FAILING =
      "`type`:`http`,`request`:{`uri`:`http://127.0.0.1:1/`,`method`:`GET`},"
          + "`retryPolicy`:{`retryType`:`none`}";

  private static String json(String text) {
    return text.replace('`', '"');
  }

  private static void put(CarillonProcess node, String path, String body) {
    HttpResponse<String> answer = node.send("PUT", path, json(body));
    assertEquals(201, answer.statusCode(), answer::body);
  }

  private static void awaitHistory(CarillonProcess node, String job, String text) {
    Await.until(
        text + " in the history of " + job,
        PATIENCE,
        () -> node.get(JOBS + job + "/history").body().contains(text));
  }

  @Test
  void aStorageQueueIsFilledByTheMainActionAndByTheErrorAction() {
    try (Azurite azurite = new Azurite();
        CarillonProcess node =
            start("CARILLON_QUEUES_STORAGE_ACCOUNTS", Azurite.ACCOUNT + "=" + azurite.address())) {
      String token = azurite.create("jobs");
      String storage =
          "`type`:`storageQueue`,`queueMessage`:{`storageAccount`:`"
              + Azurite.ACCOUNT
              + "`,`queueName`:`jobs`,`message`:`from MESSAGE`,`sasToken`:`"
              + token
              + "`}";

      put(node, JOBS + "main", "{`action`:{" + storage.replace("MESSAGE", "main") + "}}");
      awaitHistory(node, "main", "201 Created from 127.0.0.1");
      String error = "`errorAction`:{" + storage.replace("MESSAGE", "error") + "}";
      put(node, JOBS + "error", "{`action`:{" + FAILING + "," + error + "}}");
      awaitHistory(node, "error", "201 Created from 127.0.0.1");

      String messages =
          azurite.read("jobs").stream().map(QueueActionsIT::decoded).reduce("", String::concat);
      assertTrue(messages.contains("<Message>from main</Message>"), messages);
      assertTrue(messages.contains("<Message>from error</Message>"), messages);
      String all = node.get(JOBS + "main").body() + node.get(JOBS + "main/history").body();
      assertFalse((all + node.output() + node.errors()).contains("sig="));
    }
  }

  private static String decoded(JsonNode message) {
    byte[] bytes = Base64.getDecoder().decode(message.path("text").asText());
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void aJobOfTheArmDialectSendsToABrokerAndKeepsItsKeyThroughAPatch() {
    try (ArtemisBroker broker = new ArtemisBroker();
        CarillonProcess node =
            start("CARILLON_QUEUES_SERVICE_BUS", "contoso=" + broker.address())) {
      put(node, ARM_JOBS + "?api-version=2016-03-01", "{`location`:`westus`,`properties`:{}}");
      String job = ARM_JOBS + "/jobs/j?api-version=2016-03-01";
      put(
          node,
          job,
          "{`properties`:{`startTime`:`2027-01-01`,`action`:{`type`:`ServiceBusQueue`,"
              + "`serviceBusQueueMessage`:{`queueName`:`orders`,`namespace`:`contoso`,"
              + "`transportType`:`AMQP`,`authentication`:{`sasKeyName`:`"
              + ArtemisBroker.USER
              + "`,`sasKey`:`"
              + ArtemisBroker.PASSWORD
              + "`,`type`:`SharedAccessKey`},`message`:`first`}}}}");

      HttpResponse<String> patched =
          node.send(
              "PATCH",
              job,
              json(
                  "{`properties`:{`startTime`:null,"
                      + "`action`:{`serviceBusQueueMessage`:{`message`:`second`}}}}"));

      assertEquals(200, patched.statusCode(), patched::body);
      assertFalse(patched.body().contains(ArtemisBroker.PASSWORD), patched::body);
      Data body = (Data) broker.receive().getBody();
      assertEquals("second", new String(body.getValue().getArray(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void aRedisStreamAndListAreFilledAfterAKill() {
    try (CarillonProcess node = start()) {
      put(
          node,
          JOBS + "stream",
          "{`action`:{"
              + FAILING
              + ",`errorAction`:{`type`:`redisStream`,"
              + "`redisStream`:{`stream`:`orders`,`message`:`m`}}}}");
      awaitHistory(node, "stream", "Redis Stream Action - Added to 'orders' as ");
      put(
          node,
          JOBS + "list",
          "{`action`:{`type`:`redisList`,`redisList`:{`list`:`work`,`message`:`m`}}}");
      awaitHistory(node, "list", "Redis List Action - Added to 'work', entries: 1");
      node.kill9();
    }

    try (CarillonProcess again = start()) {
      put(
          again,
          JOBS + "list2",
          "{`action`:{`type`:`redisList`,`redisList`:{`list`:`work`,`message`:`m`}}}");
      awaitHistory(again, "list2", "Redis List Action - Added to 'work', entries: 2");
    }
  }
}
