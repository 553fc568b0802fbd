package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.NodeClient;
import carillon.testkit.CarillonServer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Test of virtual time, which passes only on request, and of the test kit for users. */
class VirtualTimeIT extends ProcessTestBase {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant MARCH = Instant.parse("2027-03-27T00:00:00Z");

  private static CarillonServer start(Instant now) {
    return CarillonServer.start(Path.of(CarillonProcess.jar()), now);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  private static String job(CallbackServer target, String inAction, String inJob) {
    return "{\"action\":{\"type\":\"http\",\"request\":{\"method\":\"POST\",\"uri\":\""
        + target.url("/")
        + "\"}"
        + inAction
        + "}"
        + inJob
        + "}";
  }

  private static List<String> times(JsonNode advance, String field) {
    return StreamSupport.stream(advance.path("log").spliterator(), false)
        .map(one -> one.path(field).asText())
        .toList();
  }

  @Test
  void twoNightsAroundAChangeOfTheClocksRunInSeconds() {
    try (CallbackServer target = new CallbackServer();
        CarillonServer carillon = start(MARCH)) {
      carillon.putJob(
          "nightly",
          job(
              target,
              "",
              ",\"timeZone\":\"Europe/Berlin\",\"recurrence\":{\"cron\":\"30 2 * * *\"}"));

      JsonNode passed = json(carillon.advance(Duration.ofDays(2)));

      assertEquals(List.of("2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z"), times(passed, "at"));
      assertEquals("2027-03-29T00:00:00Z", passed.path("now").asText());
      assertEquals(2, passed.path("attempts").asInt());
      assertFalse(passed.path("truncated").asBoolean());
      assertEquals(2, target.calls().size());
      assertEquals("virtual", target.calls().get(0).headers().get("Carillon-Clock"));
    }
  }

  @Test
  void theSameYearHasTheSameLog() {
    assertEquals(year(), year());
  }

  private static String year() {
    try (CallbackServer target = new CallbackServer();
        CarillonServer carillon = start(MARCH)) {
      carillon.putJob(
          "monthly",
          job(
              target,
              "",
              ",\"timeZone\":\"Europe/Berlin\",\"recurrence\":{\"cron\":\"0 9 L * *\"}"));
      carillon.putJob(
          "weekly",
          job(target, "", ",\"recurrence\":{\"rrule\":\"FREQ=WEEKLY;BYDAY=MO;BYHOUR=9\"}"));
      JsonNode passed = json(carillon.advance(Duration.ofDays(365)));
      assertEquals(52 + 12, passed.path("attempts").asInt());
      return passed.path("log").toString().replaceAll("127.0.0.1:\\d+", "target");
    }
  }

  @Test
  void aRetryWaitsForItsTimeAndTooManyAttemptsEndAnAdvanceEarly() {
    try (CallbackServer target = new CallbackServer();
        CarillonServer carillon = start(MARCH)) {
      target.answer(500);
      carillon.putJob(
          "once",
          job(
              target,
              ",\"retryPolicy\":{\"retryType\":\"fixed\",\"retryInterval\":\"PT1H\",\"retryCount\":3}",
              ""));

      JsonNode begun = json(carillon.advance(Duration.ZERO));
      JsonNode first =
          json(
              carillon.send("POST", "/clock/advance", "{\"by\":\"P1D\",\"maxAttempts\":1}").body());
      JsonNode rest = json(carillon.advance(Duration.ofDays(1)));

      assertEquals(
          "2027-03-27T02:00:00Z",
          json(carillon.send("GET", "/jobcollections/default/jobs/once/history", "").body())
              .path("value")
              .path(1)
              .path("startTime")
              .asText(),
          begun::toString);
      assertTrue(first.path("truncated").asBoolean(), first::toString);
      assertEquals("2027-03-27T01:00:00Z", first.path("now").asText());
      assertEquals(2, rest.path("attempts").asInt(), rest::toString);
      assertEquals(4, target.calls().size());
    }
  }

  @Test
  void whatWaitsForItsFlowIsDueWhenTheFlowHasRoomAgain() {
    try (CallbackServer target = new CallbackServer();
        CarillonServer carillon = start(MARCH)) {
      carillon.send(
          "PUT",
          "/flows/hourly",
          "{\"collections\":\"*\",\"rate\":{\"limit\":2,\"per\":\"PT1H\",\"burst\":1}}");
      carillon.send("PUT", "/flows/single", "{\"collections\":\"*\",\"parallelism\":1}");
      for (String flow : List.of("hourly", "single")) {
        for (int i = 0; i < 4; i++) {
          carillon.putJob(
              flow + i,
              job(target, ",\"flow\":\"" + flow + "\"", ",\"startTime\":\"2027-03-27T01:00:00Z\""));
        }
      }

      JsonNode begun = json(carillon.advance(Duration.ofHours(1)));
      String next = json(carillon.send("GET", "/clock", "").body()).path("nextDue").asText();
      JsonNode rest = json(carillon.advance(Duration.ofHours(2)));

      assertEquals(4 + 1, begun.path("attempts").asInt(), begun::toString);
      assertEquals("2027-03-27T01:30:00Z", next);
      assertEquals(
          List.of("2027-03-27T01:30:00Z", "2027-03-27T02:00:00Z", "2027-03-27T02:30:00Z"),
          times(rest, "at"));
    }
  }

  @Test
  void aFlowThatSomebodyHasToResumeIsNotDue() {
    try (CallbackServer target = new CallbackServer();
        CarillonServer carillon = start(MARCH)) {
      carillon.send("PUT", "/flows/crm", "{\"collections\":\"*\"}");
      carillon.send("POST", "/flows/crm/pause", "");
      carillon.putJob("once", job(target, ",\"flow\":\"crm\"", ""));

      JsonNode paused = json(carillon.advance(Duration.ofDays(1)));
      JsonNode clock = json(carillon.send("GET", "/clock", "").body());
      carillon.send("POST", "/flows/crm/resume", "");
      JsonNode resumed = json(carillon.advance(Duration.ZERO));

      assertEquals(0, paused.path("attempts").asInt(), paused::toString);
      assertFalse(clock.has("nextDue"), clock::toString);
      assertEquals(List.of("2027-03-28T00:00:00Z"), times(resumed, "at"));
    }
  }

  @Test
  void whatIsAskedWronglyIsRefused() {
    try (CarillonServer carillon = start(MARCH)) {
      expect(carillon, "{}", "by: is missing; give by or to");
      expect(
          carillon,
          "{\"by\":\"P1D\",\"to\":\"2027-04-01T00:00:00Z\"}",
          "by: 'P1D' does not go with to; leave one out");
      expect(carillon, "{\"by\":\"-P1D\"}", "by: '-P1D' must be a duration");
      expect(carillon, "{\"to\":\"2027-03-26T00:00:00Z\"}", "to: '2027-03-26T00:00:00Z' must not");
      expect(carillon, "{\"by\":\"P9999999D\"}", "by: 'PT239999976H' must not lead beyond");
      expect(carillon, "{\"by\":\"P1D\",\"maxAttempts\":0}", "maxAttempts: 0 must be");
      expect(carillon, "{\"by\":\"P1D\",\"hurry\":true}", "hurry: this property is not known");

      JsonNode clock = json(carillon.send("GET", "/clock", "").body());
      assertEquals("virtual", clock.path("mode").asText());
      assertEquals("2027-03-27T00:00:00Z", clock.path("now").asText());
      assertEquals(
          "virtual", json(carillon.send("GET", "/health", "").body()).path("clock").asText());
    }
  }

  private static void expect(CarillonServer carillon, String body, String message) {
    HttpResponse<String> response = carillon.send("POST", "/clock/advance", body);

    assertEquals(400, response.statusCode());
    assertTrue(
        json(response.body()).path("error").path("message").asText().startsWith(message),
        response::body);
  }

  @Test
  void dataOfOneClockIsNotForTheOther() {
    start().terminate();
    CarillonProcess.Exit virtual = run(settings(), "serve", "--virtual-time");
    assertEquals(1, virtual.code());
    assertTrue(virtual.err().contains("lives by the real clock"), virtual::err);

    Path other = dir.resolve("other");
    String data = other.toString();
    CarillonProcess.start(
            dir, settings("CARILLON_DATA_DIR", data, "CARILLON_CLOCK_VIRTUAL", MARCH.toString()))
        .terminate();
    CarillonProcess.Exit real = run(settings("CARILLON_DATA_DIR", data));
    assertEquals(1, real.code());
    assertTrue(real.err().contains("lives by a virtual clock"), real::err);
  }

  @Test
  void aRestartGoesOnWhereTheClockStood() {
    String[] settings = {"CARILLON_CLOCK_VIRTUAL", MARCH.toString()};
    try (CarillonProcess first = start(settings)) {
      first.send("POST", "/clock/advance", "{\"by\":\"P10D\"}");
      first.terminate();
    }
    try (CarillonProcess second = start(settings)) {
      assertEquals("2027-04-06T00:00:00Z", json(second.get("/clock").body()).path("now").asText());
    }
  }

  @Test
  void thousandsOfInstantsInOneAdvanceAreNoBurden() {
    try (CarillonServer carillon = start(MARCH)) {
      carillon.putJob(
          "minutely",
          "{\"action\":{\"type\":\"redisStream\",\"redisStream\":{\"stream\":\"s\",\"message\":\"m\"}},"
              + "\"startTime\":\"2027-03-27T00:01:00Z\",\"recurrence\":{\"frequency\":\"minute\"}}");

      JsonNode passed = json(carillon.advance(Duration.ofMinutes(2500)));

      assertEquals(2500, passed.path("attempts").asInt());
    }
  }

  @Test
  void anAdvanceMayTakeLongerThanAnIdleConnectionMayStay() {
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node =
            start("CARILLON_CLOCK_VIRTUAL", MARCH.toString(), "CARILLON_HTTP_IDLE_TIMEOUT", "6s")) {
      target.hold();
      node.send(
          "PUT",
          "/jobcollections/default/jobs/slow",
          job(target, "", ",\"startTime\":\"2027-03-27T01:00:00Z\""));
      CompletableFuture<HttpResponse<String>> advance =
          node.sendAsync("POST", "/clock/advance", "{\"by\":\"PT2H\"}");
      target.awaitCalls(1);
      CompletableFuture<Void> released =
          CompletableFuture.runAsync(
              target::release, CompletableFuture.delayedExecutor(9, TimeUnit.SECONDS));

      assertEquals(1, json(advance.join().body()).path("attempts").asInt());
      released.join();
    }
  }

  @Test
  void whatIsNotPerformedIsCounted() {
    try (CallbackServer target = new CallbackServer();
        CarillonServer carillon = start(MARCH)) {
      carillon.putJob(
          "hourly",
          job(
              target,
              "",
              ",\"startTime\":\"2027-03-27T01:00:00Z\",\"recurrence\":{\"frequency\":\"hour\"}"));
      carillon.send("POST", "/jobcollections/default/disable", "");

      JsonNode passed = json(carillon.advance(Duration.ofMinutes(210)));

      assertEquals(0, passed.path("attempts").asInt());
      assertEquals(3, passed.path("skipped").asInt(), passed::toString);
    }
  }

  @Test
  void theRealClockHasNoSuchPath() {
    try (CarillonProcess node = start()) {
      assertEquals(404, node.get("/clock").statusCode());
      assertEquals(404, node.send("POST", "/clock/advance", "{\"by\":\"P1D\"}").statusCode());
    }
  }

  @Test
  void theExampleInNodeWorks() {
    List<JsonNode> printed =
        NodeClient.withoutPackages("testkit")
            .run(Duration.ofMinutes(2), Path.of(CarillonProcess.jar()).toAbsolutePath().toString());

    assertEquals(
        json(
            "{\"attempts\":2,\"at\":[\"2027-03-27T01:30:00Z\",\"2027-03-28T01:30:00Z\"],"
                + "\"calls\":[\"virtual\",\"virtual\"]}"),
        printed.get(0));
  }
}
