package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.admin.DescriptionRoutes;
import carillon.api.http.Route;
import carillon.api.http.Route.BodyFormat;
import carillon.support.JobJson;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.Location;
import io.vertx.openapi.contract.MediaType;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.contract.Parameter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test that the API and its description agree. */
class OpenApiTest extends WithApi {
  private static final String ARM_GROUP =
      "/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Scheduler/jobCollections";
  private static final String VERSION = "?api-version=2016-03-01";

  private final OpenAPIContract contract = Contract.shared().document();

  @BeforeEach
  void createWhatTheExamplesChange() {
    String job = JobJson.get("http://127.0.0.1:9/").every("day").json();
    api.put("/jobcollections/default", "{}");
    api.put("/flows/sample", "{}");
    api.put("/jobcollections/default/jobs/sample", job);
    api.put(sample(ARM_GROUP + "/{collection}"), "{}");
    api.put(sample(ARM_GROUP + "/{collection}/jobs/{job}"), "{`properties`:" + job + "}");
  }

  /**
   * Returns a path of the document with names filled in, and with the version where it is required.
   */
  private static String sample(String template) {
    String path =
        template
            .replace("{subscription}", "s1")
            .replace("{group}", "g1")
            .replace("{collection}", "default")
            .replace("{job}", "sample")
            .replace("{key}", "0")
            .replace("{flow}", "sample")
            .replace("{calendar}", "sample")
            .replace("{entry}", "1:2");
    boolean isNative = !path.startsWith("/subscriptions") && !path.startsWith("/providers");
    return isNative ? path : path + VERSION;
  }

  @Test
  void theDescriptionIsServed() {
    Answer answer = api.get("/openapi.yaml");

    assertEquals(new String(DescriptionRoutes.openApi(), StandardCharsets.UTF_8), answer.body());
    assertEquals("text/plain; charset=utf-8", answer.header("Content-Type"));
    api.get("/").assertContains("`openapi`:`/openapi.yaml`");
  }

  @Test
  void theDescriptionInJsonIsTheSame() throws IOException {
    JsonNode yaml = new YAMLMapper().readTree(DescriptionRoutes.openApi());

    assertEquals(yaml, new ObjectMapper().readTree(api.get("/openapi.json").body()));
  }

  @Test
  void whatIsDescribedIsServed() {
    for (Operation operation : contract.operations()) {
      String method = operation.getHttpMethod().name();
      String path = sample(operation.getOpenAPIPath());

      assertTrue(isServed(method, path), () -> method + " " + path);
    }
  }

  @Test
  void everyAnswerIsDescribedWithTheIdOfItsRequest() throws IOException {
    JsonNode document = new YAMLMapper().readTree(DescriptionRoutes.openApi());
    Set<String> without = new TreeSet<>();
    for (JsonNode path : document.path("paths")) {
      for (JsonNode operation : path) {
        for (Map.Entry<String, JsonNode> answer : operation.path("responses").properties()) {
          String shared = answer.getValue().path("$ref").asText().replace("#", "");
          JsonNode described = shared.isEmpty() ? answer.getValue() : document.at(shared);
          if (!described.path("headers").has("X-Request-Id")) {
            without.add(operation.path("operationId").asText() + " " + answer.getKey());
          }
        }
      }
    }

    assertEquals(Set.of(), without);
  }

  @Test
  void theTableOfRoutesIsWhatIsDescribed() {
    Set<String> described =
        contract.operations().stream()
            .map(operation -> operation.getHttpMethod().name() + " " + operation.getOpenAPIPath())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> served =
        api.api().routes().rows().stream()
            .filter(OpenApiTest::isDescribed)
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(described, served);
  }

  @Test
  void theParametersOfTheQueryAreThoseDescribed() {
    Map<String, Set<String>> described = new TreeMap<>();
    for (Operation operation : contract.operations()) {
      described.put(
          operation.getHttpMethod().name() + " " + operation.getOpenAPIPath(),
          operation.getParameters().stream()
              .filter(parameter -> parameter.getIn() == Location.QUERY)
              .map(Parameter::getName)
              .filter(name -> !name.equals("api-version"))
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    Map<String, Set<String>> taken = new TreeMap<>();
    for (Route route : api.api().routes().rows()) {
      if (isDescribed(route)) {
        Set<String> names = new TreeSet<>(route.parameters());
        names.remove(Route.ANY_PARAMETER);
        taken.put(route.method() + " " + route.path(), names);
      }
    }

    assertEquals(lines(described), lines(taken));
  }

  @Test
  void whatTakesABodyIsWhatIsDescribedWithOne() {
    Set<String> described =
        contract.operations().stream()
            .filter(operation -> operation.getRequestBody() != null)
            .map(operation -> operation.getHttpMethod().name() + " " + operation.getOpenAPIPath())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> taking =
        api.api().routes().rows().stream()
            .filter(OpenApiTest::isDescribed)
            .filter(route -> route.body() != BodyFormat.NONE)
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(String.join("\n", described), String.join("\n", taking));
  }

  private static String lines(Map<String, Set<String>> routes) {
    return routes.entrySet().stream().map(String::valueOf).collect(Collectors.joining("\n"));
  }

  /**
   * Whether the document must describe a route. It omits the classic dialect (described in
   * migration.md), other groups (with the same paths as the first) and routes for the console (not
   * part of the API).
   */
  private static boolean isDescribed(Route route) {
    return !route.envelope().word().equals("classic")
        && !route.path().startsWith("/groups/")
        && !route.path().startsWith("/console/");
  }

  private boolean isServed(String method, String path) {
    Answer answer = api.send(method, path, method.equals("GET") ? null : "{}");
    return answer.status() != 405 && !answer.body().contains("Nothing is at");
  }

  @Test
  void everyExampleOfARequestIsAsDescribedAndAccepted() {
    int examples = 0;
    for (Operation operation : contract.operations()) {
      if (operation.getRequestBody() != null) {
        MediaType json = operation.getRequestBody().getContent().get("application/json");
        for (JsonObject example : examples(json.getOpenAPIModel())) {
          Contract.shared().checkJson(operation.getOperationId(), json.getSchema(), example);
          assertAccepted(operation, example);
          examples++;
        }
      }
    }
    assertTrue(examples > 10, "examples");
  }

  private void assertAccepted(Operation operation, JsonObject example) {
    createWhatTheExamplesChange();
    Answer answer =
        api.send(
            operation.getHttpMethod().name(), sample(operation.getOpenAPIPath()), example.encode());
    assertEquals(2, answer.status() / 100, () -> operation.getOperationId() + ": " + answer.body());
  }

  /** Returns a copy without the note that the document's parser leaves in every object. */
  private static JsonObject plain(JsonObject object) {
    JsonObject plain = new JsonObject();
    for (String name : object.fieldNames()) {
      Object value = object.getValue(name);
      if (!name.equals("__absolute_uri__")) {
        plain.put(name, value instanceof JsonObject inner ? plain(inner) : value);
      }
    }
    return plain;
  }

  private static List<JsonObject> examples(JsonObject model) {
    List<JsonObject> examples = new ArrayList<>();
    if (model.containsKey("example")) {
      examples.add(plain(model.getJsonObject("example")));
    }
    JsonObject named = model.getJsonObject("examples", new JsonObject());
    for (String name : plain(named).fieldNames()) {
      examples.add(plain(named.getJsonObject(name).getJsonObject("value")));
    }
    assertFalse(examples.isEmpty(), "a request without an example");
    return examples;
  }
}
