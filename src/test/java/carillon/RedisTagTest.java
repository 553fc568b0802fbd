package carillon;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.node.TrainingRun;
import carillon.redis.embedded.EmbeddedRedis;
import carillon.support.RedisServer;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Test that exactly the test classes that reach a Redis server have the tag {@code redis}. Some
 * reach it through other test classes. {@code mvn test -Pquick} omits them.
 */
@AnalyzeClasses(packages = "carillon", importOptions = ImportOption.OnlyIncludeTests.class)
class RedisTagTest {
  @ArchTest
  static void testsThatReachRedisHaveItsTag(JavaClasses classes) {
    Set<String> reaching = reaching(classes);

    Set<String> tagged = new TreeSet<>();
    Set<String> expected = new TreeSet<>();
    for (JavaClass type : classes) {
      if (type.getSimpleName().endsWith("Test") && type.isTopLevelClass()) {
        if (isTagged(type)) {
          tagged.add(type.getName());
        }
        if (reaching.contains(type.getName())) {
          expected.add(type.getName());
        }
      }
    }
    assertEquals(expected, tagged);
  }

  /** A tag of a base class counts, too. */
  private static boolean isTagged(JavaClass type) {
    return AnnotationSupport.findRepeatableAnnotations(type.reflect(), Tag.class).stream()
        .anyMatch(tag -> tag.value().equals("redis"));
  }

  /** Returns the test classes that use a Redis server, or a class that does. */
  private static Set<String> reaching(JavaClasses classes) {
    Map<String, Set<String>> used = new HashMap<>();
    for (JavaClass type : classes) {
      used.computeIfAbsent(outermost(type), name -> new HashSet<>())
          .addAll(
              type.getDirectDependenciesFromSelf().stream()
                  .map(Dependency::getTargetClass)
                  .map(RedisTagTest::outermost)
                  .collect(toCollection(HashSet::new)));
    }
    used.remove(RedisTagTest.class.getName());
    Set<String> reaching =
        Stream.of(RedisServer.class, EmbeddedRedis.class, TrainingRun.class)
            .map(Class::getName)
            .collect(toCollection(HashSet::new));
    boolean grows = true;
    while (grows) {
      grows = false;
      for (Map.Entry<String, Set<String>> one : used.entrySet()) {
        grows |= one.getValue().stream().anyMatch(reaching::contains) && reaching.add(one.getKey());
      }
    }
    return reaching;
  }

  private static String outermost(JavaClass type) {
    return type.getEnclosingClass().map(RedisTagTest::outermost).orElseGet(type::getName);
  }
}
