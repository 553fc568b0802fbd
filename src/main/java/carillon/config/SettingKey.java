package carillon.config;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Key of a setting or of a section.
 *
 * @param path from the root, such as http.port
 * @param component of the record that holds it
 */
record SettingKey(String path, RecordComponent component) {

  /** The keys of a section, in order. */
  static List<SettingKey> of(Class<?> section, String sectionPath) {
    List<SettingKey> keys = new ArrayList<>();
    for (RecordComponent component : section.getRecordComponents()) {
      String name =
          setting(component)
              .map(Setting::key)
              .filter(key -> !key.isEmpty())
              .orElse(component.getName());
      keys.add(new SettingKey(sectionPath.isEmpty() ? name : sectionPath + "." + name, component));
    }
    return keys;
  }

  /** Returns every setting below a section, without the sections themselves. */
  static List<SettingKey> leaves(Class<?> section, String sectionPath) {
    return of(section, sectionPath).stream()
        .flatMap(
            key ->
                key.isSection()
                    ? leaves(key.component.getType(), key.path).stream()
                    : List.of(key).stream())
        .toList();
  }

  /** The environment variable that overrides it: http.maxBody is CARILLON_HTTP_MAX_BODY. */
  String variable() {
    String words = path.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").replace('.', '_');
    return SettingsLoader.VARIABLE_PREFIX + words.toUpperCase(Locale.ROOT);
  }

  /** The last part of the path. */
  String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  boolean isSection() {
    return component.getType().isRecord();
  }

  boolean isSecret() {
    return setting(component).map(Setting::secret).orElse(false);
  }

  Type type() {
    return component.getGenericType();
  }

  /** Returns the rule that a value broke, with the hint if there is one. */
  String rule(String broken) {
    return setting(component)
        .map(Setting::hint)
        .filter(hint -> !hint.isEmpty())
        .map(hint -> broken + " (" + hint + ")")
        .orElse(broken);
  }

  /** Returns its value in a record. */
  Object in(Record section) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(section);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + path, e);
    }
  }

  private static Optional<Setting> setting(RecordComponent component) {
    return Optional.ofNullable(component.getAnnotation(Setting.class));
  }
}
