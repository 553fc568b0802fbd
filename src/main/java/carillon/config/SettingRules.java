package carillon.config;

import carillon.uri.UriAuthority;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checker of the rules of a section. It collects all violations, to report them together. */
final class SettingRules {
  static final int KB = 1024;
  static final int MB = 1024 * KB;
  static final Duration TEN_YEARS = Duration.ofDays(3660);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String NAME_RULE = "must be 1 to 64 letters, digits, '.', '_' or '-'";

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String section;
  private final List<SettingsException.Problem> problems = new ArrayList<>();

  /**
   * Creates a checker for a section.
   *
   * @param section its path, empty for the root
   */
  SettingRules(String section) {
    this.section = section;
  }

  SettingRules between(String name, long value, long min, long max) {
    return require(value >= min && value <= max, name, value, "must be " + min + " to " + max);
  }

  SettingRules between(String name, Duration value, Duration min, Duration max) {
    boolean holds = value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    String rule = "must be " + DurationText.format(min) + " to " + DurationText.format(max);
    return require(holds, name, value, rule);
  }

  SettingRules matches(String name, String value, Pattern pattern, String rule) {
    return require(pattern.matcher(value).matches(), name, value, rule);
  }

  SettingRules name(String name, String value) {
    return matches(name, value, NAME, NAME_RULE);
  }

  SettingRules nameOrEmpty(String name, String value) {
    boolean holds = value.isEmpty() || NAME.matcher(value).matches();
    return require(holds, name, value, NAME_RULE + ", or empty");
  }

  SettingRules readable(String name, String file) {
    boolean holds = file.isEmpty() || Files.isReadable(Path.of(file));
    return require(holds, name, file, "must be a readable file, or empty");
  }

  /** The files of a certificate and of its key: both, or none. */
  SettingRules keyPair(String certificate, String key) {
    return readable("certificate", certificate)
        .readable("key", key)
        .require(
            certificate.isEmpty() == key.isEmpty(),
            "key",
            key,
            "must be set where " + key("certificate") + " is, and only there",
            key("certificate"));
  }

  /**
   * Checks anything; {@code others} are the full keys of further settings that the rule is about.
   */
  SettingRules require(boolean holds, String name, Object value, String rule, String... others) {
    if (!holds) {
      List<String> keys = Stream.concat(Stream.of(key(name)), Stream.of(others)).toList();
      problems.add(new SettingsException.Problem(keys, shown(value), rule));
    }
    return this;
  }

  /** Throws if a rule was violated. */
  void check() {
    if (!problems.isEmpty()) {
      throw new SettingsException(
          problems.stream().map(SettingsException.Problem::text).toList(), problems);
    }
  }

  /**
   * Whether a secret may be sent to the address: it has a host and no user, and is {@code https},
   * or {@code http} on this machine.
   */
  static boolean isHttpsOrLoopback(URI uri) {
    return hasHostAlone(uri)
        && ("https".equals(uri.getScheme())
            || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost())));
  }

  /** Whether the address has a host, and no user. */
  static boolean hasHostAlone(URI uri) {
    return UriAuthority.find(uri).isPresent() && uri.getRawAuthority().indexOf('@') < 0;
  }

  private String key(String name) {
    return section.isEmpty() || name.contains(".") ? name : section + "." + name;
  }

  private static String shown(Object value) {
    String text = value instanceof Duration duration ? DurationText.format(duration) : "" + value;
    return text.isEmpty() ? "''" : text;
  }
}
