package carillon.faults;

import java.util.List;
import java.util.stream.Stream;

/** All scenarios, in the order of their execution. */
final class Catalogue {
  private Catalogue() {}

  /** Scenarios that the options select. */
  static List<Scenario> chosen(FaultsOptions options) {
    if (!options.scenarios().isEmpty()) {
      return options.scenarios().stream().map(Catalogue::named).toList();
    }
    if (options.isShort()) {
      return ShortForm.all();
    }
    return options.planted() ? PlantedScenarios.all() : full();
  }

  private static Scenario named(String name) {
    return everything().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scenario " + name + " (see --list)"));
  }

  private static List<Scenario> full() {
    return Stream.of(
            NodeScenarios.all(),
            RedisScenarios.all(),
            TopologyScenarios.all(),
            ClockScenarios.all(),
            PoisonScenario.all(),
            LoadScenarios.all(),
            DisablingScenario.all(),
            FlowScenarios.all(),
            PlantedScenarios.all())
        .flatMap(List::stream)
        .toList();
  }

  static List<Scenario> everything() {
    return Stream.concat(Stream.of(ShortForm.together()), full().stream()).toList();
  }
}
