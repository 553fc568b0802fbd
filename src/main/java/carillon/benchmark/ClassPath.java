package carillon.benchmark;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The class path that this program was loaded from, to start others on it. */
final class ClassPath {
  private ClassPath() {}

  /**
   * Under {@code mvn exec:java} the system property names Maven's own class path, but the loader
   * knows better.
   */
  static String own() {
    return ClassPath.class.getClassLoader() instanceof URLClassLoader loader
        ? Stream.of(loader.getURLs())
            .map(ClassPath::file)
            .collect(Collectors.joining(File.pathSeparator))
        : System.getProperty("java.class.path");
  }

  private static String file(URL url) {
    try {
      return Path.of(new URI(url.toString())).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("not a file of the class path: " + url, e);
    }
  }
}
