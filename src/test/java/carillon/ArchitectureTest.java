package carillon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.store.Stores;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The arrows between the packages point one way, and each type has a name of its own. */
@AnalyzeClasses(packages = "carillon", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule packagesAreFreeOfCycles =
      slices().matching("carillon.(*)..").should().beFreeOfCycles();

  /** Includes packages within the same top-level package. */
  @ArchTest
  static final ArchRule packagesBelowAreFreeOfCycles =
      slices().matching("carillon.(**)").should().beFreeOfCycles();

  private static final int MAX_CLASSES = 20;

  /** Folders that may have more classes until they are divided. */
  private static final Map<String, Integer> LARGER_FOLDERS =
      Map.of("store/attempt", 21, "timer", 40);

  @Test
  void noFolderHasMoreThanTwentyClasses() throws IOException {
    Path main = Path.of("src/main/java/carillon");
    try (Stream<Path> files = Files.walk(main)) {
      Map<String, Long> sizes =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .collect(
                  Collectors.groupingBy(
                      file -> main.relativize(file.getParent()).toString(),
                      TreeMap::new,
                      Collectors.counting()));
      sizes
          .entrySet()
          .removeIf(
              folder ->
                  folder.getValue() <= LARGER_FOLDERS.getOrDefault(folder.getKey(), MAX_CLASSES));

      assertEquals(Map.of(), sizes);
    }
  }

  /** Logs say why in one sentence; a stack trace comes by setCause. */
  @Test
  void noLogLineHasAThrowableAsItsError() throws IOException {
    Pattern throwable = Pattern.compile("addKeyValue\\(\\s*\"error\",\\s*(e|failure|cause)\\)");
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      List<Path> found =
          files
              .filter(Files::isRegularFile)
              .filter(file -> throwable.matcher(text(file)).find())
              .toList();

      assertEquals(List.of(), found);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ArchTest
  static final ArchRule recurrenceIsPure =
      onlyUses("recurrence", "java..", "carillon.recurrence..");

  @ArchTest
  static final ArchRule jobIsPure =
      onlyUses("job", "java..", "carillon.job..", "carillon.recurrence..", "carillon.uri..");

  @ArchTest
  static final ArchRule flowIsPure =
      onlyUses("flow", "java..", "carillon.flow..", "carillon.job..", "carillon.uri..");

  @ArchTest
  static final ArchRule accessIsPure =
      onlyUses("access", "java..", "carillon.access..", "carillon.job..");

  @ArchTest
  static final ArchRule wheelIsPure =
      classes()
          .that()
          .haveFullyQualifiedName("carillon.timer.TimerWheel")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "carillon.timer..");

  @ArchTest
  static final ArchRule authAsksTheStore =
      onlyUses(
          "auth",
          "java..",
          "carillon.auth..",
          "carillon.access..",
          "carillon.bounded..",
          "carillon.config..",
          "carillon.redis..",
          "carillon.store..",
          "com.nimbusds..",
          "io.vertx.core..",
          "javax.naming..",
          "javax.net.ssl..",
          "javax.security.auth.x500..",
          "org.slf4j..");

  @ArchTest
  static final ArchRule configStandsAlone =
      onlyUses(
          "config",
          "java..",
          "carillon.config..",
          "carillon.text..",
          "carillon.uri..",
          "com.fasterxml.jackson..");

  @ArchTest static final ArchRule textIsPure = onlyUses("text", "java..", "carillon.text..");

  @ArchTest static final ArchRule uriIsPure = onlyUses("uri", "java..", "carillon.uri..");

  @ArchTest
  static final ArchRule embeddedStandsAlone =
      onlyUses(
          "redis.embedded",
          "java..",
          "carillon.redis.embedded..",
          "carillon.config..",
          "org.slf4j..");

  @ArchTest
  static final ArchRule egressStandsAlone =
      onlyUses(
          "dispatch.egress",
          "java..",
          "carillon.bounded..",
          "carillon.dispatch.egress..",
          "carillon.uri..",
          "io.vertx.core..",
          "org.slf4j..");

  /** As any other client. */
  @ArchTest
  static final ArchRule cliSpeaksHttp =
      classes()
          .that()
          .resideInAnyPackage(
              "carillon.cli",
              "carillon.cli.admin",
              "carillon.cli.client",
              "carillon.cli.jobs",
              "carillon.cli.output",
              "carillon.cli.transfer")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.net.ssl..",
              "carillon.cli",
              "carillon.cli.admin",
              "carillon.cli.client",
              "carillon.cli.jobs",
              "carillon.cli.output",
              "carillon.cli.transfer",
              "carillon.json..",
              "carillon.job..",
              "carillon.text..",
              "com.fasterxml.jackson..",
              "picocli..");

  @ArchTest
  static final ArchRule nobodyKnowsHowItIsObserved =
      noClasses()
          .that()
          .resideOutsideOfPackages("carillon.node..", "carillon.observe..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("carillon.observe..", "io.prometheus..", "io.opentelemetry..");

  @ArchTest
  static final ArchRule serviceBusUsesTheWayOut =
      onlyUses(
          "dispatch.servicebus",
          "java..",
          "javax.crypto..",
          "carillon.dispatch.servicebus..",
          "carillon.config..",
          "carillon.job..",
          "carillon.uri..",
          "carillon.dispatch.egress..",
          "io.vertx.core..",
          "io.vertx.proton..",
          "org.apache.qpid.proton..");

  @ArchTest
  static final ArchRule secretKnowsNeitherVertxNorRedis =
      onlyUses(
          "secret",
          "java..",
          "javax.crypto..",
          "javax.security.auth.x500..",
          "carillon.secret..",
          "carillon.job..");

  @ArchTest
  static final ArchRule jsonKnowsNoVertx =
      noClasses()
          .that()
          .resideInAPackage("carillon.json..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx..");

  @ArchTest
  static final ArchRule redisKnowsNoStore =
      apart("redis", "store", "json", "api", "timer", "dispatch", "bus", "auth");

  @ArchTest
  static final ArchRule storeLooksDown = apart("store", "api", "timer", "dispatch", "bus", "auth");

  @ArchTest
  static final ArchRule fsckKnowsNoVerticle =
      apart("fsck", "api", "timer", "dispatch", "bus", "node");

  @ArchTest static final ArchRule timerKnowsNoOtherVerticle = apart("timer", "api", "dispatch");

  @ArchTest static final ArchRule dispatchKnowsNoOtherVerticle = apart("dispatch", "api", "timer");

  @ArchTest static final ArchRule apiKnowsNoOtherVerticle = apart("api", "timer", "dispatch");

  @ArchTest
  static final ArchRule onlyTheStoreTalksToRedis =
      noClasses()
          .that()
          .resideOutsideOfPackages("carillon.redis..", "carillon.store..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx.redis..");

  @ArchTest
  static final ArchRule onlyTheStoreUsesItsConnection =
      noClasses()
          .that()
          .resideOutsideOfPackage("carillon.store..")
          .should()
          .callMethod(Stores.class, "link");

  @ArchTest
  static final ArchRule timeIsAnInput =
      noClasses()
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  /**
   * Names of nested types that each say what they are of the type around them, and are read with
   * it: {@code HistoryEntry.Status}, {@code FlowStore.Put}.
   */
  private static final Set<String> CONVENTIONAL =
      Set.of(
          "Config",
          "Entry", // of a cache
          "Kind",
          "Listener",
          "Options",
          "Outcome",
          "Page", // of a list
          "Put", // result of a put
          "Reason",
          "State",
          "Status",
          "Type",
          "Word"); // first word of a script's reply

  /** Commands have the names of their words: {@code flows put}, {@code calendars put}. */
  @ArchTest
  static void noNameIsBorneByTwoTypes(JavaClasses program) {
    Map<String, List<JavaClass>> byName =
        program.stream()
            .filter(type -> !type.getSimpleName().isEmpty())
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .filter(type -> !type.isAnnotatedWith("picocli.CommandLine$Command"))
            .filter(type -> !type.isNestedClass() || !CONVENTIONAL.contains(type.getSimpleName()))
            .collect(Collectors.groupingBy(JavaClass::getSimpleName, TreeMap::new, toList()));
    byName.values().removeIf(bearers -> bearers.size() == 1);

    assertEquals(Map.of(), byName);
  }

  private static ArchRule onlyUses(String name, String... allowed) {
    return classes()
        .that()
        .resideInAPackage("carillon." + name + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }

  private static ArchRule apart(String name, String... others) {
    String[] packages =
        java.util.Arrays.stream(others)
            .map(other -> "carillon." + other + "..")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage("carillon." + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages);
  }
}
