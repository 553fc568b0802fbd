package carillon.config;

import carillon.text.NearestName;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Builder of a tree of records from the environment, a file and defaults, in this order of
 * precedence. It collects every problem on the way. An unreadable value is replaced by its default,
 * so that the rest can still be checked. Rules about a setting with an earlier problem are not
 * reported.
 */
final class Binder {
  private final Map<String, String> environment;
  private final String fileName;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> troubled = new HashSet<>();
  private final Map<String, String> origins = new HashMap<>();

  Binder(Map<String, String> environment, String fileName) {
    this.environment = environment;
    this.fileName = fileName;
  }

  /** Returns the problems, one line each; empty when all is well. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  <T extends Record> T bind(T defaults, JsonNode file) {
    checkVariables(defaults.getClass());
    return section(defaults, "", file);
  }

  private void checkVariables(Class<?> schema) {
    Set<String> known =
        SettingKey.leaves(schema, "").stream()
            .map(SettingKey::variable)
            .collect(Collectors.toSet());
    environment.keySet().stream()
        .filter(name -> name.startsWith(SettingsLoader.VARIABLE_PREFIX) && !known.contains(name))
        .sorted()
        .forEach(name -> problems.add(name + ": " + noSuchSetting(name, known)));
  }

  private static String noSuchSetting(String name, Collection<String> known) {
    return NearestName.of(name, known)
        .map(meant -> "there is no such setting; did you mean " + meant + "?")
        .orElse("there is no such setting");
  }

  private <T extends Record> T section(T defaults, String path, JsonNode node) {
    List<SettingKey> keys = SettingKey.of(defaults.getClass(), path);
    JsonNode section = node.isObject() ? node : MissingNode.getInstance();
    if (!node.isObject() && !isNothing(node)) {
      String name = named(path.isEmpty() ? "the file" : path, fileName);
      problems.add(name + ": must be a section of keys");
    }
    checkNames(keys, path, section);
    List<Object> values = new ArrayList<>();
    for (SettingKey key : keys) {
      values.add(value(key, key.in(defaults), section.path(key.name())));
    }
    return build(defaults, values);
  }

  /** Whether a section is absent, or has all of its keys commented out. */
  private static boolean isNothing(JsonNode node) {
    return node.isMissingNode() || node.isNull() || (node.isTextual() && node.asText().isEmpty());
  }

  private void checkNames(List<SettingKey> keys, String path, JsonNode section) {
    Set<String> known = keys.stream().map(SettingKey::name).collect(Collectors.toSet());
    List<String> paths = keys.stream().map(SettingKey::path).toList();
    section
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                String full = path.isEmpty() ? name : path + "." + name;
                problems.add(named(full, fileName) + ": " + noSuchSetting(full, paths));
              }
            });
  }

  private Object value(SettingKey key, Object byDefault, JsonNode node) {
    if (key.isSection()) {
      return section((Record) byDefault, key.path(), node);
    }
    String fromEnvironment = environment.get(key.variable());
    if (fromEnvironment != null) {
      return parsed(key, byDefault, fromEnvironment, key.variable());
    }
    return node.isMissingNode() ? byDefault : fromFile(key, byDefault, node);
  }

  private Object fromFile(SettingKey key, Object byDefault, JsonNode node) {
    if (node.isNull()) {
      return troubled(key, byDefault, "", "has no value (write '' for an empty one)", fileName);
    }
    if (key.type() == String.class && node.isValueNode() && !node.isTextual()) {
      return troubled(key, byDefault, node.asText(), "must be text: put it in quotes", fileName);
    }
    if (node.isValueNode()) {
      return parsed(key, byDefault, node.asText(), fileName);
    }
    if (ValueParser.elementType(key.type()).isEmpty()) {
      return troubled(key, byDefault, "", "must be a single value", fileName);
    }
    return isTexts(node)
        ? parsed(key, byDefault, String.join(",", texts(node)), fileName)
        : troubled(key, byDefault, "", "must be text or a list of texts", fileName);
  }

  private static boolean isTexts(JsonNode node) {
    return node.isArray()
        && StreamSupport.stream(node.spliterator(), false).allMatch(JsonNode::isTextual);
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private Object parsed(SettingKey key, Object byDefault, String text, String origin) {
    try {
      Object value = ValueParser.parse(key.type(), text);
      origins.put(key.path(), origin);
      return value;
    } catch (IllegalArgumentException e) {
      return troubled(
          key, byDefault, text.isEmpty() ? "''" : text, key.rule(e.getMessage()), origin);
    }
  }

  private Object troubled(
      SettingKey key, Object byDefault, String text, String rule, String origin) {
    String shown = key.isSecret() ? "(hidden)" : text;
    troubled.add(key.path());
    problems.add(
        new SettingsException.Problem(List.of(key.path()), shown, rule)
            .text(named(key.path(), origin)));
    return byDefault;
  }

  /** The record, or the default one when it finds something wrong with itself. */
  private <T extends Record> T build(T defaults, List<Object> values) {
    try {
      return constructor(defaults).newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SettingsException broken) {
        broken.details().forEach(this::report);
        return defaults;
      }
      throw new IllegalStateException("cannot build " + defaults.getClass(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot build " + defaults.getClass(), e);
    }
  }

  private void report(SettingsException.Problem problem) {
    boolean consequence = problem.keys().stream().anyMatch(troubled::contains);
    troubled.addAll(problem.keys());
    if (!consequence) {
      String key = problem.keys().get(0);
      problems.add(problem.text(named(key, origins.getOrDefault(key, "default"))));
    }
  }

  private static String named(String key, String origin) {
    return key + " (" + origin + ")";
  }

  @SuppressWarnings("unchecked")
  private static <T extends Record> Constructor<T> constructor(T record)
      throws NoSuchMethodException {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = components[i].getType();
    }
    Constructor<T> constructor = (Constructor<T>) record.getClass().getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor;
  }
}
