package carillon.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this program. */
public final class Version {
  private static final String CURRENT = read();

  private Version() {}

  public static String current() {
    return CURRENT;
  }

  private static String read() {
    try (InputStream file = Version.class.getResourceAsStream("/carillon/version.properties")) {
      Properties properties = new Properties();
      properties.load(file);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
