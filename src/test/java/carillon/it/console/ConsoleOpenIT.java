package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import carillon.support.Browser;
import carillon.support.CarillonProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a node that asks nobody for a key. */
class ConsoleOpenIT {
  @TempDir Path dir;

  @Test
  void keysSayThatTheyLimitNothingHere() throws Exception {
    assumeTrue(Browser.isThere(), "chromium and chromedriver are not installed");
    try (CarillonProcess carillon = CarillonProcess.start(dir, Map.of());
        Browser browser = new Browser(carillon.base().toString())) {
      browser.open("#/keys");
      browser.see(".hint[role=note]", "This node asks nobody for a key.");
      browser.see(".hint[role=note]", "access.accept");
      browser.press("n");
      browser.see("dialog .hint", "It limits nothing as long as this node asks nobody for a key");

      assertEquals(List.of(), browser.complaints());
    }
  }
}
