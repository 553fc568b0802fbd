package carillon.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.config.SettingsLoader;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressServiceBackend;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of the Kubernetes manifests: known fields, matching parts, and settings that load. */
class ManifestsTest {
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "v1/ConfigMap", ConfigMap.class,
          "v1/Service", Service.class,
          "apps/v1/Deployment", Deployment.class,
          "apps/v1/StatefulSet", StatefulSet.class,
          "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "networking.k8s.io/v1/Ingress", Ingress.class,
          "monitoring.coreos.com/v1/ServiceMonitor", ServiceMonitor.class);

  private static final List<String> FILES =
      List.of("carillon.yaml", "redis.yaml", "ingress.yaml", "service-monitor.yaml");

  /** Rejects unknown fields, which the models would otherwise keep. */
  private static final YAMLMapper STRICT =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              })
          .build();

  private final List<HasMetadata> resources = new ArrayList<>();

  @BeforeEach
  void readAllOfThem() throws IOException {
    for (String file : FILES) {
      try (MappingIterator<JsonNode> documents =
          STRICT
              .readerFor(JsonNode.class)
              .readValues(Path.of("conf", "kubernetes", file).toFile())) {
        for (JsonNode document : documents.readAll()) {
          String kind = document.path("apiVersion").asText() + "/" + document.path("kind").asText();
          resources.add(STRICT.treeToValue(document, KINDS.get(kind)));
        }
      }
    }
  }

  private <T extends HasMetadata> List<T> every(Class<T> kind) {
    return resources.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private <T extends HasMetadata> T one(Class<T> kind, String name) {
    return every(kind).stream()
        .filter(resource -> resource.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " " + name));
  }

  private PodTemplateSpec pod() {
    return one(Deployment.class, "carillon").getSpec().getTemplate();
  }

  private PodTemplateSpec redisPod() {
    return one(StatefulSet.class, "carillon-redis").getSpec().getTemplate();
  }

  @Test
  void everyFieldExists() {
    IOException refused =
        assertThrows(
            IOException.class,
            () -> STRICT.readValue("kind: Service\nspec: {port: 1}", Service.class));

    assertTrue(refused.getMessage().contains("\"port\""), refused.getMessage());
    assertEquals(12, resources.size(), "all were read, with the same strictness");
  }

  @Test
  void everySelectorSelectsPodsThatAreThere() {
    List<Map<String, String>> pods =
        List.of(pod().getMetadata().getLabels(), redisPod().getMetadata().getLabels());
    List<Map<String, String>> selectors =
        Stream.of(
                every(Service.class).stream().map(s -> s.getSpec().getSelector()),
                every(Deployment.class).stream()
                    .map(d -> d.getSpec().getSelector().getMatchLabels()),
                every(StatefulSet.class).stream()
                    .map(s -> s.getSpec().getSelector().getMatchLabels()),
                every(PodDisruptionBudget.class).stream()
                    .map(b -> b.getSpec().getSelector().getMatchLabels()),
                every(NetworkPolicy.class).stream()
                    .map(p -> p.getSpec().getPodSelector().getMatchLabels()))
            .flatMap(Function.identity())
            .toList();

    assertEquals(9, selectors.size());
    for (Map<String, String> selector : selectors) {
      assertFalse(selector.isEmpty());
      assertTrue(
          pods.stream().anyMatch(pod -> pod.entrySet().containsAll(selector.entrySet())),
          selector::toString);
    }
  }

  @Test
  void theIngressAndTheMonitorFindThePortOfTheService() {
    Service service = one(Service.class, "carillon");
    IngressServiceBackend backend =
        one(Ingress.class, "carillon")
            .getSpec()
            .getRules()
            .get(0)
            .getHttp()
            .getPaths()
            .get(0)
            .getBackend()
            .getService();
    ServiceMonitorSpec monitor = one(ServiceMonitor.class, "carillon").getSpec();
    String port = service.getSpec().getPorts().get(0).getName();

    assertEquals("carillon", backend.getName());
    assertEquals(port, backend.getPort().getName());
    assertEquals(service.getMetadata().getLabels(), monitor.getSelector().getMatchLabels());
    assertEquals(port, monitor.getEndpoints().get(0).getPort());
  }

  /** Files for features that some clusters lack are named in a comment. */
  @Test
  void theKustomizationNamesEachFile() throws IOException {
    String kustomization = Files.readString(Path.of("conf", "kustomization.yaml"));

    for (String file : FILES) {
      assertTrue(kustomization.contains("- kubernetes/" + file), file);
    }
  }

  @Test
  void theSettingsLoadAndFitThePod(@TempDir Path dir) throws IOException {
    Map<String, String> variables = new HashMap<>(one(ConfigMap.class, "carillon").getData());
    pod().getSpec().getContainers().get(0).getEnv().forEach(e -> variables.put(e.getName(), "pod"));
    // Files from a Secret.
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      if (variable.getKey().endsWith("_FILE")) {
        assertTrue(variable.getValue().startsWith("/run/secrets/carillon/"), variable::toString);
        Path file = dir.resolve(Path.of(variable.getValue()).getFileName());
        variable.setValue(Files.writeString(file, "x").toString());
      }
    }

    Settings settings = SettingsLoader.load(List.of(), variables);

    assertEquals("pod", settings.node().id());
    assertEquals(
        settings.http().port(),
        pod().getSpec().getContainers().get(0).getPorts().get(0).getContainerPort());
    assertEquals(
        List.of("redis://carillon-redis:6379"),
        settings.redis().uri().stream().map(Object::toString).toList());
    assertEquals(
        6379, redisPod().getSpec().getContainers().get(0).getPorts().get(0).getContainerPort());
  }

  /**
   * Otherwise a Service named carillon defines CARILLON_PORT and other variables, and no node
   * starts.
   */
  @Test
  void variablesOfServicesAreKeptAway() {
    assertEquals(false, pod().getSpec().getEnableServiceLinks());
  }
}
