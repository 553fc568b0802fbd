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

/** Test of the console of a node without authentication. */
class ConsoleOpenIT {
  @TempDir Path dir;

  @Test
  void keysSayThatTheyLimitNothingHere() throws Exception {
    assumeTrue(Browser.isThere(), "chromium and chromedriver are not installed");
    try (CarillonProcess carillon = CarillonProcess.start(dir, Map.of());
        Browser browser = new Browser(carillon.base().toString())) {
      browser.open("#/keys");
      browser.see(".hint[role=note]", "This node requires no key.");
      browser.see(".hint[role=note]", "access.accept");
      browser.press("n");
      browser.see("dialog .hint", "It limits nothing while this node requires no key");

      assertEquals(List.of(), browser.complaints());
    }
  }

  @Test
  void anEmptyServerTeachesTheFirstJobUntilThereIsOne() throws Exception {
    assumeTrue(Browser.isThere(), "chromium and chromedriver are not installed");
    try (CarillonProcess carillon = CarillonProcess.start(dir, Map.of());
        Browser browser = new Browser(carillon.base().toString())) {
      browser.open("#/");
      browser.see(".teach h2", "No job yet");
      browser.see(".teach pre", "curl " + carillon.base() + "/call -H 'Content-Type");
      browser.see(".teach button", "Copy");
      browser.see(".teach a.button", "New job");
      browser.seeNo("main", "All is well");
      browser.seeNo(".bars", "");
      browser.open("#/audit");
      browser.see("pre", "'$filter'=\"object eq 'default/default/default'\"");
      browser.open("#/");
      browser.see(".teach pre", "curl");
      browser.script(
          "const data = /-d '(.*)'/.exec(document.querySelector('.teach pre').textContent)[1];"
              + "fetch('/call', {method: 'POST', headers: {'Content-Type': 'application/json'},"
              + " body: JSON.stringify({...JSON.parse(data), at: '2030-01-01T00:00:00Z'})})");

      browser.see(".tile:first-child dd", "1");
      browser.see(".card h2", "Attempts by the minute");
      browser.seeNo(".teach", "");
      assertEquals(List.of(), browser.complaints());
    }
  }
}
