package carillon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the packages point one way. */
@AnalyzeClasses(packages = "carillon", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule recurrenceIsPure =
      onlyUses("recurrence", "java..", "carillon.recurrence..");

  @ArchTest static final ArchRule wheelIsPure = onlyUses("wheel", "java..", "carillon.wheel..");

  @ArchTest
  static final ArchRule jobIsPure =
      onlyUses("job", "java..", "carillon.job..", "carillon.recurrence..");

  @ArchTest static final ArchRule accessIsPure = onlyUses("access", "java..", "carillon.access..");

  @ArchTest
  static final ArchRule loginAsksTheStore =
      onlyUses(
          "login",
          "java..",
          "carillon.login..",
          "carillon.access..",
          "carillon.store..",
          "com.nimbusds..",
          "io.vertx.core..",
          "javax.naming..",
          "javax.net.ssl..",
          "javax.security.auth.x500..",
          "org.slf4j..");

  @ArchTest
  static final ArchRule configStandsAlone =
      onlyUses("config", "java..", "carillon.config..", "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule embeddedStandsAlone =
      onlyUses("embedded", "java..", "carillon.embedded..", "org.slf4j..");

  @ArchTest
  static final ArchRule egressStandsAlone =
      onlyUses("egress", "java..", "carillon.egress..", "io.vertx.core..", "org.slf4j..");

  @ArchTest
  static final ArchRule loopsStandAlone =
      onlyUses("loops", "java..", "carillon.loops..", "io.vertx.core..");

  /** As any other client. */
  @ArchTest
  static final ArchRule cliSpeaksHttp =
      onlyUses(
          "cli",
          "java..",
          "javax.net.ssl..",
          "carillon.cli..",
          "carillon.codec..",
          "carillon.job..",
          "com.fasterxml.jackson..",
          "picocli..");

  @ArchTest
  static final ArchRule logStandsAlone =
      onlyUses(
          "log",
          "java..",
          "carillon.log..",
          "ch.qos.logback..",
          "com.fasterxml.jackson.core..",
          "org.slf4j..");

  @ArchTest
  static final ArchRule nobodyKnowsHowItIsMeasured =
      noClasses()
          .that()
          .resideOutsideOfPackages("carillon", "carillon.metrics..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("carillon.metrics..", "io.prometheus..");

  @ArchTest
  static final ArchRule nobodyKnowsHowItIsTraced =
      noClasses()
          .that()
          .resideOutsideOfPackages("carillon", "carillon.tracing..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("carillon.tracing..", "io.opentelemetry..");

  @ArchTest
  static final ArchRule serviceBusUsesTheWayOut =
      onlyUses(
          "servicebus",
          "java..",
          "javax.crypto..",
          "carillon.servicebus..",
          "carillon.job..",
          "carillon.egress..",
          "io.vertx.core..",
          "io.vertx.proton..",
          "org.apache.qpid.proton..");

  @ArchTest
  static final ArchRule consoleStandsAlone = onlyUses("console", "java..", "carillon.console..");

  @ArchTest
  static final ArchRule secretStandsAlone =
      onlyUses(
          "secret", "java..", "javax.crypto..", "javax.security.auth.x500..", "carillon.secret..");

  @ArchTest
  static final ArchRule vaultKnowsNeitherVertxNorRedis =
      onlyUses("vault", "java..", "carillon.vault..", "carillon.secret..", "carillon.job..");

  @ArchTest
  static final ArchRule codecKnowsNoVertx =
      noClasses()
          .that()
          .resideInAPackage("carillon.codec..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx..");

  @ArchTest
  static final ArchRule storeLooksDown =
      noClasses()
          .that()
          .resideInAPackage("carillon.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "carillon.api..",
              "carillon.timer..",
              "carillon.dispatch..",
              "carillon.bus..",
              "carillon.login..",
              "carillon.config..");

  @ArchTest
  static final ArchRule rotationKnowsNoOtherVerticle =
      apart("rotation", "api", "timer", "dispatch", "bus");

  @ArchTest
  static final ArchRule fsckKnowsNoVerticle =
      apart("fsck", "api", "timer", "dispatch", "bus", "rotation", "config");

  @ArchTest static final ArchRule timerKnowsNoOtherVerticle = apart("timer", "api", "dispatch");

  @ArchTest static final ArchRule dispatchKnowsNoOtherVerticle = apart("dispatch", "api", "timer");

  @ArchTest static final ArchRule apiKnowsNoOtherVerticle = apart("api", "timer", "dispatch");

  @ArchTest
  static final ArchRule onlyTheStoreTalksToRedis =
      noClasses()
          .that()
          .resideOutsideOfPackages("carillon.store..", "carillon.benchmark..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx.redis..");

  @ArchTest
  static final ArchRule timeIsAnInput =
      noClasses()
          .that()
          .resideOutsideOfPackages("carillon.benchmark..")
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

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
