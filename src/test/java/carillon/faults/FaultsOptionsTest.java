package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.load.Program;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

@Tag("redis")
class FaultsOptionsTest {
  @Test
  void withoutArgumentsEverythingIsRun() {
    FaultsOptions options = parse();

    assertFalse(options.isShort() || options.planted() || options.list() || options.keep());
    assertTrue(Catalogue.chosen(options).size() > 20);
  }

  @Test
  void formAndKeepAreRead() {
    FaultsOptions options = parse("--keep", "--short");

    assertTrue(options.keep());
    assertEquals(ShortForm.all().size(), Catalogue.chosen(options).size());
  }

  @Test
  void anUnknownOptionOrScenarioIsRefusedInOneLine() {
    assertThrows(ParameterException.class, () -> parse("--fast"));
    assertThrows(ParameterException.class, () -> parse("--scenario"));
    FaultsOptions options = parse("--scenario", "no-such");

    assertThrows(IllegalArgumentException.class, () -> Catalogue.chosen(options));
  }

  @Test
  void everyScenarioIsFoundByItsName() {
    for (Scenario scenario : Catalogue.everything()) {
      List<Scenario> chosen = Catalogue.chosen(parse("--scenario=" + scenario.name()));

      assertEquals(List.of(scenario.name()), chosen.stream().map(Scenario::name).toList());
    }
    assertTrue(Catalogue.chosen(parse("--planted")).size() >= 4);
    assertEquals(List.of("kill-all", "herd"), parse("--scenario", "kill-all,herd").scenarios());
  }

  @Test
  void everyOptionHasHelp() {
    String help = Program.commandLine(new Faults()).getUsageMessage();

    for (String option : List.of("--short", "--planted", "--scenario", "--list", "--keep")) {
      assertTrue(help.contains("  " + option), option);
    }
  }

  private static FaultsOptions parse(String... arguments) {
    FaultsOptions options = new FaultsOptions();
    Program.commandLine(options).parseArgs(arguments);
    return options;
  }
}
