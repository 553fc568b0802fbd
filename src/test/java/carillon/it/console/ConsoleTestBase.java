package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import carillon.access.ApiKeyToken;
import carillon.support.Browser;
import carillon.support.CarillonProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base of tests of the console in a real browser, on the packaged program. Each test class has one
 * of both.
 */
abstract class ConsoleTestBase {
  /** Start time of a job long after the test. */
  static final String LATER = ",\"startTime\":\"2030-01-01T00:00:00Z\"";

  static final String KEY = ApiKeyToken.random().reveal();
  @TempDir static Path dir;
  static CarillonProcess carillon;
  static ConsoleData data;
  static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Browser.isThere(), "chromium and chromedriver are not installed");
    carillon =
        CarillonProcess.start(
            dir,
            Map.of(
                "CARILLON_ACCESS_ACCEPT", "keys",
                "CARILLON_ACCESS_ADMIN_KEY", KEY,
                "CARILLON_EGRESS_LOOPBACK", "allow"));
    data = new ConsoleData(carillon.base(), KEY);
    browser = new Browser(carillon.base().toString());
    browser.open("#/");
    signIn(KEY);
    browser.see("nav button", "Sign out"); // otherwise a test might leave before the answer arrives
    browser.complaints(); // drops the refusal before the sign-in
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (data != null) {
      data.close();
    }
    if (carillon != null) {
      carillon.close();
    }
  }

  static void signIn(String key) {
    browser.see("h1", "Sign in");
    browser.type("input[name=key]", key);
    browser.click("button.primary", "Sign in");
  }

  /**
   * Complaints are broken scripts, refused resources and violations of the content security policy.
   */
  @AfterEach
  void theBrowserHasNothingToComplainAbout() {
    assertEquals(List.of(), browser.complaints());
  }

  static void put(String collection, String job, String more) {
    data.put("/jobcollections/" + collection, "{}");
    data.put("/jobcollections/" + collection + "/jobs/" + job, data.job("/ok", more));
  }

  static Object value(String field) {
    return browser.script("return document.getElementsByName(arguments[0])[0].value", field);
  }

  /** Returns a job without retries, whose executions fail immediately. */
  static String failing(String path, String more) {
    return data.job(path, more).replace("\"retryCount\":2", "\"retryCount\":0");
  }

  /** Stores a job and its collection. */
  static void putJob(String collection, String job, String document) {
    data.put("/jobcollections/" + collection, "{}");
    data.put("/jobcollections/" + collection + "/jobs/" + job, document);
  }

  /** Opens the form for a new job of a new collection. */
  static void newJob(String collection) {
    data.put("/jobcollections/" + collection, "{}");
    browser.open("#/c/" + collection + "/new");
  }

  static void typeTarget(String path) {
    browser.type("input[name='action.request.uri']", data.target(path));
  }

  /** Clicks this button of a dialog. */
  static void confirm(String button) {
    browser.click("dialog footer button", button);
  }
}
