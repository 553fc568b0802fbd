package carillon.benchmark;

import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The class path that this program was loaded from, to start others on it. */
final class ClassPath {
  private ClassPath() {}

  /** All of it. */
  static String own() {
    return String.join(File.pathSeparator, entries());
  }

  /** That of the product: without the classes of the tests, and how these are logged. */
  static String product() {
    return entries().stream()
        .filter(entry -> !Path.of(entry).endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Under {@code mvn exec:java} the system property names Maven's own class path, but the loader
   * knows better.
   */
  private static List<String> entries() {
    return ClassPath.class.getClassLoader() instanceof URLClassLoader loader
        ? Stream.of(loader.getURLs()).map(ClassPath::file).toList()
        : List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
  }

  private static String file(URL url) {
    try {
      return Path.of(url.toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("not a file of the class path: " + url, e);
    }
  }
}
