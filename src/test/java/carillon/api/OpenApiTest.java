package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.admin.OpenApiRoute;
import carillon.api.http.ApiObserver;
import carillon.api.http.ApiSettings;
import carillon.api.http.ProviderPath;
import carillon.api.http.ResourcePath;
import carillon.auth.LoginOptions;
import carillon.auth.RequestAuthenticator;
import carillon.json.TargetPolicy;
import carillon.secret.Vault;
import carillon.support.JobJson;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import io.vertx.openapi.contract.MediaType;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The description of the API and the API itself say the same. */
class OpenApiTest {
  private static final List<String> METHODS = List.of("GET", "PUT", "PATCH", "POST", "DELETE");
  private static final String ARM_SUBSCRIPTION =
      "/subscriptions/{subscription}/providers/Microsoft.Scheduler";
  private static final String ARM_GROUP =
      "/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Scheduler/jobCollections";
  private static final Set<ResourcePath.Kind> NATIVE =
      EnumSet.of(
          ResourcePath.Kind.COLLECTION_SEARCH,
          ResourcePath.Kind.JOB_OCCURRENCES,
          ResourcePath.Kind.JOB_VALIDATE);
  private static final String VERSION = "?api-version=2016-03-01";

  private final OpenAPIContract contract = Contract.shared().document();
  private ApiServer api;

  @BeforeEach
  void start() {
    api = new ApiServer();
    createWhatTheExamplesChange();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void createWhatTheExamplesChange() {
    String job = JobJson.get("http://127.0.0.1:9/").every("day").json();
    api.send("PUT", "/jobcollections/default", "{}");
    api.send("PUT", "/jobcollections/default/jobs/sample", job);
    api.send("PUT", sample(ARM_GROUP + "/{collection}"), "{}");
    api.send("PUT", sample(ARM_GROUP + "/{collection}/jobs/{job}"), "{\"properties\":" + job + "}");
  }

  /** A path of the document with names in it, and the version where one is needed. */
  private static String sample(String template) {
    String path =
        template
            .replace("{subscription}", "s1")
            .replace("{group}", "g1")
            .replace("{collection}", "default")
            .replace("{job}", "sample")
            .replace("{key}", "0")
            .replace("{entry}", "1:2");
    boolean isNative = !path.startsWith("/subscriptions") && !path.startsWith("/providers");
    return isNative ? path : path + VERSION;
  }

  @Test
  void theDescriptionIsServed() {
    HttpResponse<String> answer = api.send("GET", "/openapi.yaml", null);

    assertEquals(new String(OpenApiRoute.read(), StandardCharsets.UTF_8), answer.body());
    assertEquals(
        "text/plain; charset=utf-8", answer.headers().firstValue("Content-Type").orElse(""));
    assertTrue(api.send("GET", "/", null).body().contains("\"openapi\":\"/openapi.yaml\""));
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
  void whatIsServedIsDescribed() {
    for (String template : templates()) {
      for (String method : METHODS) {
        String path = sample(template);

        assertEquals(
            isServed(method, path),
            Contract.shared().operation(method, path).isPresent(),
            () -> method + " " + template);
      }
    }
  }

  private boolean isServed(String method, String path) {
    HttpResponse<String> answer = api.send(method, path, method.equals("GET") ? null : "{}");
    return answer.statusCode() != 405 && !answer.body().contains("Nothing is at");
  }

  /** Every path that there is, in the form of the document. */
  private static Set<String> templates() {
    Set<String> templates = new TreeSet<>();
    for (ResourcePath.Kind kind : ResourcePath.Kind.values()) {
      templates.add("/jobcollections" + tail(kind));
      if (!NATIVE.contains(kind)) {
        templates.add(ARM_GROUP + tail(kind));
      }
    }
    templates.add(ARM_SUBSCRIPTION + "/jobCollections");
    for (ProviderPath.Kind kind : ProviderPath.Kind.values()) {
      templates.add(template(kind));
    }
    fixedPaths().forEach(templates::add);
    templates.forEach(OpenApiTest::assertUnderstood);
    return templates;
  }

  private static String tail(ResourcePath.Kind kind) {
    return switch (kind) {
      case COLLECTIONS -> "";
      case COLLECTION -> "/{collection}";
      case COLLECTION_ENABLE -> "/{collection}/enable";
      case COLLECTION_DISABLE -> "/{collection}/disable";
      case COLLECTION_SEARCH -> "/{collection}/search";
      case JOBS -> "/{collection}/jobs";
      case JOB -> "/{collection}/jobs/{job}";
      case JOB_RUN -> "/{collection}/jobs/{job}/run";
      case JOB_ENABLE -> "/{collection}/jobs/{job}/enable";
      case JOB_DISABLE -> "/{collection}/jobs/{job}/disable";
      case JOB_OCCURRENCES -> "/{collection}/jobs/{job}/occurrences";
      case JOB_VALIDATE -> "/{collection}/jobs/{job}/validate";
      case HISTORY -> "/{collection}/jobs/{job}/history";
      case HISTORY_ENTRY -> "/{collection}/jobs/{job}/history/{entry}";
    };
  }

  private static String template(ProviderPath.Kind kind) {
    return switch (kind) {
      case OPERATIONS -> "/providers/Microsoft.Scheduler/operations";
      case PROVIDERS -> "/subscriptions/{subscription}/providers";
      case PROVIDER -> ARM_SUBSCRIPTION;
      case REGISTER -> ARM_SUBSCRIPTION + "/register";
    };
  }

  /**
   * What the router knows by its path; the rest is for the resources to find, or files of the
   * console, which are no part of the API.
   */
  private static Stream<String> fixedPaths() {
    Vertx vertx = Vertx.vertx();
    try {
      ApiSettings settings =
          new ApiSettings(
              true,
              "",
              "",
              0,
              1,
              null,
              null,
              "",
              Vault.locked(),
              TargetPolicy.NONE,
              LoginOptions.OPEN,
              Optional.empty());
      RequestAuthenticator login =
          new RequestAuthenticator(
              vertx, LoginOptions.OPEN, null, null, Instant::now, System::nanoTime);
      return new ApiRouter(
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              ApiObserver.NONE,
              null,
              null,
              null,
              login,
              null,
              null,
              Instant::now,
              settings)
          .router(vertx).getRoutes().stream()
              .map(Route::getPath)
              .filter(Objects::nonNull)
              .filter(path -> !path.startsWith("/console"))
              .map(path -> path.replaceAll(":(\\w+)", "{$1}"));
    } finally {
      ApiServer.await(vertx.close());
    }
  }

  /** So that a kind whose path is written wrongly above does not pass as unserved. */
  private static void assertUnderstood(String template) {
    String path = sample(template).replace(VERSION, "");
    assertTrue(
        ResourcePath.parse(path).isPresent()
            || ProviderPath.parse(path).isPresent()
            || !template.contains("{")
            || template.equals("/keys/{key}"),
        template);
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
    HttpResponse<String> answer =
        api.send(
            operation.getHttpMethod().name(), sample(operation.getOpenAPIPath()), example.encode());
    assertEquals(
        2, answer.statusCode() / 100, () -> operation.getOperationId() + ": " + answer.body());
  }

  /** The parser of the document leaves a note in every object of it; this copy has none. */
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
