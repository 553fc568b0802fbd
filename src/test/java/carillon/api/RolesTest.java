package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.access.Role;
import carillon.api.http.RouteTable;
import carillon.job.AttemptRecord.Source;
import carillon.job.AttemptRecord.State;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.json.view.AttemptRecordCodec;
import carillon.support.JobJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Test of every route with every role, for own resources and for those of others. */
@Tag("redis")
class RolesTest {
  private static final String REQUEST_ID = "X-Request-Id";
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final String JOB = JobJson.get("http://127.0.0.1:9/").every("day").json();

  private static final String VERSION = "?api-version=2016-03-01";
  private static final String CALENDAR = "{\"spans\":[{\"date\":\"2026-12-25\"}]}";
  private static final String FLOW = "{\"collections\":[\"own\"]}";
  private static final String ARM =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections";

  @AutoClose private static ApiServer api;
  private static boolean isChanged = true;
  private static final Map<String, String> KEYS = new HashMap<>();
  private static final Map<String, String> SESSIONS = new HashMap<>();

  /** Row of the table of routes and roles. */
  private record Rule(String method, String template, Role role, String scope) {
    boolean isClassic() {
      return template.startsWith("/{");
    }

    boolean isArm() {
      return template.startsWith("/subscriptions") || template.startsWith("/providers");
    }

    String path() {
      String path =
          template
              .replace("{subscription}", "s1")
              .replace("{group}", "g1")
              .replace("{collection}", "own")
              .replace("{job}", "j")
              .replace("{entry}", "1:2")
              .replace("{flow}", "own")
              .replace("{calendar}", "own")
              .replace("{key}", "nobody");
      return isArm() ? path + VERSION : path;
    }

    /** Returns the scope of this kind that contains the path. */
    String scope(String kind) {
      String place = isArm() || isClassic() ? "s1/g1/own" : "default/default/own";
      String[] names = place.split("/", -1);
      return switch (kind) {
        case "everything" -> "*";
        case "subscription" -> names[0] + "/*";
        case "group" -> names[0] + "/" + names[1];
        default -> place;
      };
    }

    String body() {
      if (method.equals("GET") || method.equals("DELETE")) {
        return null;
      }
      if (isClassic() && !template.contains("/jobs")) {
        return classicBody();
      }
      if (template.endsWith("/keys")) {
        return "{\"client\":\"made-" + ApiKeyToken.random().id() + "\",\"grants\":[\"reader\"]}";
      }
      if (template.contains("/calendars/")) {
        return CALENDAR;
      }
      if (template.endsWith("{flow}") && method.equals("PUT")) {
        return FLOW;
      }
      if (template.endsWith("/call")) {
        return "{`url`:`http://h/`}";
      }
      if (List.of("/preview", "/explain").contains(template)) {
        return "{\"recurrence\":{\"frequency\":\"day\"}}";
      }
      if (template.equals("/clock/advance")) {
        return "{\"by\":\"PT1S\"}";
      }
      boolean ofJob = template.endsWith("/jobs") || template.endsWith("{job}");
      String flat =
          method.equals("PATCH") && ofJob ? "{\"state\":\"enabled\"}" : ofJob ? JOB : "{}";
      return isArm() ? "{\"properties\":" + flat + "}" : flat;
    }

    private String classicBody() {
      String namespace = " xmlns=\"http://schemas.microsoft.com/windowsazure\">";
      if (template.endsWith("{group}")) {
        return "<CloudService"
            + namespace
            + "<Label>l</Label><Description>d</Description>"
            + "<GeoRegion>West US</GeoRegion></CloudService>";
      }
      if (template.endsWith("EntitleResource")) {
        return "<EntitleResource"
            + namespace
            + "<ResourceProviderNameSpace>scheduler</ResourceProviderNameSpace>"
            + "<Type>jobcollections</Type><RegistrationDate>2014-01-01</RegistrationDate>"
            + "</EntitleResource>";
      }
      return template.endsWith("{collection}")
          ? "<Resource"
              + namespace
              + "<IntrinsicSettings><Plan>Standard</Plan>"
              + "</IntrinsicSettings></Resource>"
          : null;
    }
  }

  @BeforeAll
  static void start() {
    api = new ApiServer(ApiServer.keys(OPERATOR));
    KEYS.put("operator", OPERATOR.reveal());
    operator()
        .post("/groups/default/default/pause", "{`note`:`own`,`from`:`2027-01-01T00:00:00Z`}")
        .assertStatus(200);
    api.redis.ask(
        "XADD carillon:{0}:outcomes * job default/default/own/j execution '%s'"
            .formatted(execution("own/j")));
  }

  private static String execution(String job) {
    HistoryEntry entry =
        HistoryEntry.of(
            new Attempt(job, ApiServer.START, 1, Attempt.Phase.MAIN, 1, 1, 0),
            ApiServer.START,
            ApiServer.START,
            HistoryEntry.Status.FAILED,
            "m");
    return AttemptRecordCodec.write(new Source(job, ""), State.FAILED, entry);
  }

  private static ApiClient operator() {
    return api.with("Authorization", "Bearer " + OPERATOR.reveal());
  }

  static List<Rule> rules() throws IOException {
    try (InputStream file = RolesTest.class.getResourceAsStream("/api/roles.csv")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.startsWith("method|"))
          .map(line -> line.split("\\|", -1))
          .map(
              row ->
                  new Rule(
                      row[0], row[1], row[2].equals("-") ? Role.READER : Role.of(row[2]), row[3]))
          .toList();
    }
  }

  @Test
  void everyRouteIsInTheTable() throws IOException {
    Set<String> described =
        Contract.shared().document().operations().stream()
            .map(operation -> operation.getHttpMethod().name() + " " + operation.getOpenAPIPath())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> listed =
        rules().stream()
            .filter(rule -> !rule.isClassic())
            .map(rule -> rule.method + " " + rule.template)
            .collect(Collectors.toCollection(TreeSet::new));
    RouteTable routes = api.api().routes();
    Set<String> classic =
        rules().stream()
            .filter(Rule::isClassic)
            .map(rule -> routes.find(rule.method, rule.path().split("\\?", -1)[0]).route())
            .map(route -> route.method() + " " + route.label())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> routed =
        routes.rows().stream()
            .filter(route -> route.envelope().word().equals("classic"))
            .map(route -> route.method() + " " + route.label())
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(described, listed);
    assertEquals(routed, classic);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void whoIsNotKnownIsRefused(Rule rule) {
    String answer = outcome(ask(rule));
    boolean isXml = rule.isClassic() && !rule.template.contains("/jobs");

    assertEquals(
        rule.scope.equals("open")
            ? "200 "
            : isXml ? "403 AuthenticationFailed" : "401 AuthenticationFailed",
        answer);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void eachRoleMayDoWhatTheTableSays(Rule rule) {
    if (rule.scope.equals("open")) {
      return;
    }
    String allowed = outcome(as("operator", rule));
    assertTrue(
        allowed.matches("20\\d .*|404 (NotFound|ResourceNotFound)|409 Conflict(Error)?"),
        () -> allowed + " of " + rule);
    for (Role role : Role.values()) {
      boolean enough = role.includes(rule.role);

      assertEquals(
          enough ? allowed : "403 " + forbidden(rule),
          outcome(as(key(role, rule.scope(rule.scope)), rule)),
          () -> role + " in " + rule.scope(rule.scope) + ": " + rule);
    }
  }

  /**
   * A session of the console has the same permissions as its key. POST /session is excluded, since
   * it requires the key itself.
   */
  @ParameterizedTest
  @MethodSource("rules")
  void aSessionMayWhatItsKeyMay(Rule rule) {
    if (rule.scope.equals("open") || (rule.template + rule.method).equals("/sessionPOST")) {
      return;
    }
    for (Role role : Role.values()) {
      String key = key(role, rule.scope(rule.scope));

      assertEquals(
          outcome(as(key, rule)), outcome(inSession(key, rule)), () -> role + " of " + rule);
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void whatIsForeignIsNotThere(Rule rule) {
    Answer answer = as(key(Role.ADMIN, "other/g1/own"), rule);
    String foreign = answer.body();
    String outcome = outcome(answer);

    switch (rule.scope) {
      case "open", "any" -> assertEquals(outcome(as("operator", rule)), outcome);
      case "everything" -> assertEquals("403 AuthorizationFailed", outcome);
      case "list" -> {
        assertTrue(outcome.startsWith("200 "), outcome);
        assertTrue(!foreign.contains("own"), foreign);
        assertTrue(as("operator", rule).body().contains("own"), rule::toString);
      }
      default -> assertTrue(outcome.startsWith("404 "), () -> outcome + " of " + rule);
    }
  }

  /** The answer for a resource that the caller must not see equals the answer for a missing one. */
  @ParameterizedTest
  @MethodSource("rules")
  void nothingTellsForeignFromAbsent(Rule rule) {
    if (!rule.template.contains("{collection}")) {
      return;
    }
    Rule absent =
        new Rule(rule.method, rule.template.replace("{collection}", "gone"), rule.role, rule.scope);

    Answer foreign = as(key(Role.ADMIN, "other/g1/own"), rule);
    Answer missing = as(key(Role.ADMIN, "other/g1/own"), absent);

    assertEquals(missing.status(), foreign.status());
    assertEquals(
        missing.body().replace("gone", "own").replace(missing.header(REQUEST_ID), "id"),
        foreign.body().replace(foreign.header(REQUEST_ID), "id"));
    assertEquals(missing.headers().map().keySet(), foreign.headers().map().keySet());
  }

  /**
   * Other collections of the group are foreign too, and a role in a collection is none in its
   * group.
   */
  @ParameterizedTest
  @MethodSource("rules")
  void aCollectionsRoleReachesNoFurther(Rule rule) {
    boolean inCollection = rule.template.contains("{collection}");
    if (inCollection) {
      String neighbour = rule.scope("group") + "/neighbour";
      assertEquals(404, as(key(Role.ADMIN, neighbour), rule).status(), rule::toString);
    }
    if (rule.scope.equals("group")) {
      boolean isHidden = rule.template.equals("/call"); // it is about the collection default
      assertEquals(
          isHidden ? "404 NotFound" : "403 " + forbidden(rule),
          outcome(as(key(Role.ADMIN, rule.scope("collection")), rule)));
    }
  }

  private static String forbidden(Rule rule) {
    return rule.isClassic() && !rule.template.contains("/jobs")
        ? "ForbiddenError"
        : "AuthorizationFailed";
  }

  private static String key(Role role, String scope) {
    String grant = role.word() + ":" + scope;
    KEYS.computeIfAbsent(
        grant,
        missing -> {
          String order = "{\"client\":\"c" + KEYS.size() + "\",\"grants\":[\"" + grant + "\"]}";
          Answer made = operator().post("/keys", order).assertStatus(201);
          return made.body().replaceAll(".*\"key\":\"([^\"]+)\".*", "$1");
        });
    return grant;
  }

  /** Sends the request with everything in place that it may need. */
  private static Answer as(String who, Rule rule) {
    return prepared(rule, "Authorization", "Bearer " + KEYS.get(who));
  }

  /**
   * Sends the request in a session of this key. Opens a new session after the old one was ended.
   */
  private static Answer inSession(String who, Rule rule) {
    String cookie =
        SESSIONS.computeIfAbsent(
            who,
            missing ->
                api.post("/session", null, "api-key", KEYS.get(who))
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow()
                    .split(";", 2)[0]);
    if (rule.template.equals("/session") && rule.method.equals("DELETE")) {
      SESSIONS.remove(who);
    }
    return prepared(
        rule, "Cookie", cookie, "Sec-Fetch-Site", "same-origin", "carillon-console", "1");
  }

  private static Answer prepared(Rule rule, String... headers) {
    if (isChanged) {
      prepare("/calendars/own", CALENDAR);
      prepare("/flows/own", FLOW);
      prepare("/jobcollections/own", "{}");
      prepare("/jobcollections/own/jobs/j", JOB);
      prepare(ARM + "/own" + VERSION, "{}");
      prepare(ARM + "/own/jobs/j" + VERSION, "{\"properties\":" + JOB + "}");
    }
    Answer answer = ask(rule, headers);
    isChanged = !rule.method.equals("GET") && answer.status() < 400;
    return answer;
  }

  private static void prepare(String path, String body) {
    Answer done = operator().put(path, body);
    assertEquals(2, done.status() / 100, done.body());
  }

  private static Answer ask(Rule rule, String... headers) {
    String body = rule.body();
    boolean isXml = body != null && body.startsWith("<");
    return api.with(headers)
        .send(
            rule.method,
            rule.path(),
            body,
            "x-ms-version",
            "2013-03-01",
            "Content-Type",
            isXml ? "application/xml" : "application/json");
  }

  /** Returns the status, and the code of an error. */
  private static String outcome(Answer answer) {
    assertNotEquals(500, answer.status(), answer.body());
    String code =
        answer.status() < 400
            ? ""
            : answer.body().replaceAll("(?s).*(\"code\":\"|<Code>)([A-Za-z]+)[\"<].*", "$2");
    return answer.status() + " " + code;
  }
}
