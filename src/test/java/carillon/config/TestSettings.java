package carillon.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Creates settings for tests: the defaults, or a section, with some keys set. */
public final class TestSettings {
  private TestSettings() {}

  /** Returns the defaults with each {@code key=value} set. */
  public static Settings with(String... settings) {
    return with(Settings.defaults(), settings);
  }

  /** Returns the section with each {@code key=value} set; keys are relative to the section. */
  public static <T extends Record> T with(T section, String... settings) {
    Map<String, String> environment = new HashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      SettingKey key = new SettingKey(setting.substring(0, equals), null);
      environment.put(key.variable(), setting.substring(equals + 1));
    }
    return SettingsLoader.load(section, Optional.empty(), environment);
  }
}
