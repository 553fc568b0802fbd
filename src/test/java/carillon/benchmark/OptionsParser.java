package carillon.benchmark;

import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads {@code --name=value} arguments. Every problem is an IllegalArgumentException whose message
 * is one clear line.
 */
final class OptionsParser {
  private static final int MOST = 100_000_000;

  private final Map<String, String> given;

  private OptionsParser(Map<String, String> given) {
    this.given = given;
  }

  /** True when the usage is asked for. */
  static boolean wantsHelp(List<String> arguments) {
    return arguments.contains("--help");
  }

  /** The options that the arguments say. */
  static Options parse(List<String> arguments) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (given.put(name, equals < 0 ? "" : argument.substring(equals + 1)) != null) {
        throw new IllegalArgumentException(name + " is given twice");
      }
    }
    return new OptionsParser(given).options();
  }

  private Options options() {
    Options base = flag("--short") ? Options.smoke() : Options.defaults();
    Options read =
        new Options(
            uri("--url", Set.of("http")).map(OptionsParser::withPort),
            uri("--redis", Set.of("redis", "rediss", "unix")),
            number("--connections", base.connections()),
            number("--warmup", base.warmup()),
            number("--accept-seconds", base.acceptSeconds()),
            number("--herd", base.herd()),
            number("--rate", base.rate()),
            number("--seconds", base.seconds()),
            number("--now-rate", base.nowRate()),
            number("--now-seconds", base.nowSeconds()),
            number("--memory-jobs", base.memoryJobs()),
            base.lead(),
            yesOrNo("--ceilings", base.ceilings()),
            base.judged(),
            phases(base.only()),
            take("--json").map(Path::of));
    if (!given.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown option " + given.keySet().iterator().next() + " (see --help)");
    }
    return read;
  }

  private Optional<String> take(String name) {
    Optional<String> value = Optional.ofNullable(given.remove(name));
    if (value.filter(String::isEmpty).isPresent()) {
      throw new IllegalArgumentException(name + " needs a value: " + name + "=...");
    }
    return value;
  }

  private boolean flag(String name) {
    String value = given.remove(name);
    if (value != null && !value.isEmpty()) {
      throw new IllegalArgumentException(name + " takes no value, was '" + value + "'");
    }
    return value != null;
  }

  private int number(String name, int otherwise) {
    return take(name).map(text -> number(name, text)).orElse(otherwise);
  }

  private static int number(String name, String text) {
    if (text.matches("[0-9]{1,9}")) {
      int value = Integer.parseInt(text);
      if (value >= 1 && value <= MOST) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        name + " must be a whole number from 1 to " + MOST + ", was '" + text + "'");
  }

  private boolean yesOrNo(String name, boolean otherwise) {
    String text = take(name).orElse(Boolean.toString(otherwise));
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(name + " must be true or false, was '" + text + "'");
    }
    return text.equals("true");
  }

  private Optional<URI> uri(String name, Set<String> schemes) {
    return take(name).map(text -> uri(name, text, schemes));
  }

  private static URI uri(String name, String text, Set<String> schemes) {
    String scheme = text.contains("://") ? text.substring(0, text.indexOf("://")) : "";
    try {
      if (schemes.contains(scheme)) {
        return URI.create(text);
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    String wanted =
        schemes.stream().sorted().map(s -> s + "://...").collect(Collectors.joining(" or "));
    throw new IllegalArgumentException(name + " must be " + wanted + ", was '" + text + "'");
  }

  private static URI withPort(URI url) {
    if (url.getHost() == null || url.getPort() < 0) {
      throw new IllegalArgumentException("--url must name a host and a port, was '" + url + "'");
    }
    return url;
  }

  private Set<PhaseName> phases(Set<PhaseName> otherwise) {
    return take("--only")
        .map(
            text ->
                Stream.of(text.split(",", -1))
                    .map(OptionsParser::phase)
                    .collect(Collectors.toSet()))
        .orElse(otherwise);
  }

  private static PhaseName phase(String word) {
    return Stream.of(PhaseName.values())
        .filter(phase -> phase.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("--only knows no phase '" + word + "' (see --help)"));
  }
}
