package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void withoutArgumentsEverythingIsRun() {
    assertEquals(new Options(Options.Form.FULL, List.of(), false), Options.parse(List.of()));
  }

  @Test
  void formAndKeepAreRead() {
    assertEquals(
        new Options(Options.Form.SHORT, List.of(), true),
        Options.parse(List.of("--keep", "--short")));
  }

  @Test
  void anUnknownOptionOrScenarioIsRefusedInOneLine() {
    assertThrows(IllegalArgumentException.class, () -> Options.parse(List.of("--fast")));
    assertThrows(IllegalArgumentException.class, () -> Options.parse(List.of("--scenario")));
    Options options = Options.parse(List.of("--scenario", "no-such"));
    assertThrows(IllegalArgumentException.class, () -> Catalogue.chosen(options));
  }

  @Test
  void everyScenarioIsFoundByItsName() {
    for (Scenario scenario : Catalogue.everything()) {
      List<Scenario> chosen =
          Catalogue.chosen(Options.parse(List.of("--scenario=" + scenario.name())));
      assertEquals(List.of(scenario.name()), chosen.stream().map(Scenario::name).toList());
    }
    assertTrue(Catalogue.chosen(Options.parse(List.of("--planted"))).size() >= 4);
    assertEquals(
        List.of("kill-all", "herd"),
        Options.parse(List.of("--scenario", "kill-all,herd")).scenarios());
  }

  @Test
  void everyOptionHasHelp() {
    for (String option : List.of("--short", "--planted", "--scenario", "--list", "--keep")) {
      assertTrue(Options.USAGE.contains("  " + option), option);
    }
  }
}
