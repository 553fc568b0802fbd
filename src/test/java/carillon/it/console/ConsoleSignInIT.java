package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import carillon.access.ApiKeyToken;
import carillon.support.Browser;
import carillon.support.CarillonProcess;
import carillon.support.EmbeddedChild;
import carillon.support.OidcProvider;
import carillon.support.Ports;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test of signing in to the console in a real browser, at an issuer that is an independent product.
 * Carillon's clock is stopped, so that the test controls the end of sessions and tokens.
 */
class ConsoleSignInIT {
  private static final String KEY = ApiKeyToken.random().reveal();

  /** Records the initial address of each page, which the page may change. */
  private static final String NOTE_ADDRESS =
      "if (location.search) sessionStorage.setItem('came', location.search);";

  @TempDir static Path dir;
  private static int otherPort;
  private static OidcProvider issuer;
  private static CarillonProcess carillon;
  private static ConsoleData data;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Browser.isThere(), "chromium and chromedriver are not installed");
    int port = Ports.free();
    otherPort = Ports.free();
    issuer = new OidcProvider(List.of(home(port), home(otherPort)));
    carillon = CarillonProcess.start(dir, settings(port, issuer.issuer()));
    data = new ConsoleData(carillon.base(), KEY);
    data.put("/jobcollections/orders", "{}");
    data.put(
        "/jobcollections/orders/jobs/sync",
        data.job("/ok", ",\"startTime\":\"2035-01-01T00:00:00Z\""));
    browser = new Browser(carillon.base().toString());
    browser.beforeEachPage(NOTE_ADDRESS);
  }

  private static String home(int port) {
    return "http://127.0.0.1:" + port + "/";
  }

  private static Map<String, String> settings(int port, String issuer) {
    Map<String, String> settings = new HashMap<>();
    settings.put("CARILLON_HTTP_PORT", Integer.toString(port));
    settings.put("CARILLON_CLOCK_VIRTUAL", "now");
    settings.put("CARILLON_ACCESS_ACCEPT", "keys,tokens");
    settings.put("CARILLON_ACCESS_ADMIN_KEY", KEY);
    settings.put("CARILLON_EGRESS_LOOPBACK", "allow");
    settings.put("CARILLON_ACCESS_SESSION", "1m");
    settings.put("CARILLON_ACCESS_TOKENS_ISSUER", issuer);
    settings.put("CARILLON_ACCESS_TOKENS_AUDIENCE", "carillon");
    settings.put("CARILLON_ACCESS_TOKENS_ROLES_CLAIM", "groups");
    settings.put(
        "CARILLON_ACCESS_TOKENS_ROLES", "carillon-admins=admin:*,carillon-readers=reader:*");
    settings.put("CARILLON_CONSOLE_SIGN_IN_CLIENT_ID", OidcProvider.CLIENT);
    settings.put("CARILLON_CONSOLE_SIGN_IN_CLIENT_SECRET", OidcProvider.SECRET);
    settings.put("CARILLON_CONSOLE_SIGN_IN_ORIGIN", "http://127.0.0.1:" + port);
    settings.put("CARILLON_CONSOLE_SIGN_IN_NAME", "Example");
    settings.put("CARILLON_CONSOLE_SIGN_IN_NAME_CLAIM", "preferred_username");
    return settings;
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
    if (issuer != null) {
      issuer.close();
    }
  }

  @BeforeEach
  void nobodyIsSignedInAnywhere() {
    browser.forgetCookies();
    browser.complaints();
  }

  /** Opens a page and goes to the issuer from there. */
  private static void leave(String hash) {
    browser.open("?" + System.nanoTime() + hash);
    goToIssuer();
  }

  private static void goToIssuer() {
    goToIssuer(browser);
  }

  private static void goToIssuer(Browser visitor) {
    visitor.click("button.issuer", "Sign in with Example");
  }

  /** Types a name at the issuer and agrees as this user. */
  private static void enterAs(String name) {
    enterAs(browser, name);
  }

  private static void enterAs(Browser visitor, String name) {
    visitor.type("input[name=login]", name);
    visitor.type("input[name=password]", "any");
    visitor.click("button[type=submit]", "Sign-in");
    visitor.click("button[type=submit]", "Continue");
  }

  private static void signIn(String name, String hash) {
    leave(hash);
    enterAs(name);
    browser.see(".who", name);
  }

  private static void advance(String by) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(carillon.base().resolve("/clock/advance"))
            .header("Authorization", "Bearer " + KEY)
            .POST(HttpRequest.BodyPublishers.ofString("{\"by\":\"" + by + "\"}"))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
  }

  /** Returns the complaints about pages of Carillon, without those about a missing sign-in. */
  private static List<String> complaints() {
    return browser.complaints().stream()
        .filter(complaint -> complaint.contains(carillon.base().toString()))
        .filter(complaint -> !complaint.contains("status of 401"))
        .toList();
  }

  @Test
  void whoSignsInAtTheIssuerGetsToThePageThatTheyAskedForWithTheirRoles() {
    signIn("ada", "#/c/orders");

    browser.see("a.row", "sync");
    assertEquals("/#/c/orders", browser.address(), "neither code nor state is left");
    assertTrue(String.valueOf(came()).contains("code="), "but they were there");
    assertEquals("admin:*", browser.see(".who", "ada").getAttribute("title"));
    browser.see("nav a", "API keys");
    assertEquals("", browser.script("return document.cookie"));
    assertEquals(List.of(), complaints());
  }

  private static Object came() {
    return browser.script("return sessionStorage.getItem('came')");
  }

  @Test
  void aReaderMayRead() {
    signIn("rita", "#/c/orders");

    browser.see("a.row", "sync");
    assertEquals("reader:*", browser.see(".who", "rita").getAttribute("title"));
    browser.seeNo("nav a", "API keys");
  }

  @Test
  void aSessionThatIsOverIsRenewedByOneClickOnTheSamePage() throws Exception {
    signIn("ada", "#/c/orders/j/sync");
    browser.see("h1", "sync");

    advance("PT2M");

    browser.open("#/c/orders");
    browser.see(".sign-in", "Sign in");
    goToIssuer();
    browser.see("a.row", "sync");
    assertEquals("/#/c/orders", browser.address());
    advance("PT2M");
    browser.see("[role=status]", "Your session has ended.");
    goToIssuer();
    browser.see("a.row", "sync");
    assertEquals("/#/c/orders", browser.address());
  }

  @Test
  void aTokenThatIsOverLetsNobodyIn() {
    Map<String, String> later = settings(otherPort, issuer.issuer());
    later.put("CARILLON_CLOCK_VIRTUAL", "2040-01-01T00:00:00Z");
    try (CarillonProcess node = CarillonProcess.start(folder("later"), later);
        Browser visitor = new Browser(node.base().toString())) {
      visitor.open("#/c/orders");
      goToIssuer(visitor);
      enterAs(visitor, "ada");

      visitor.see(".sign-in [role=alert]", "The credential is not accepted.");
    }
  }

  private static Path folder(String name) {
    Path folder = dir.resolve(name);
    assertTrue(folder.toFile().mkdir());
    return folder;
  }

  @Test
  void aResponseThatThisBrowserDidNotAskForIsRefused() {
    for (String query :
        List.of(
            "?code=abc&state=" + "a".repeat(43),
            "?code=abc&state=x",
            "?error=access_denied&error_description=Call+555&state=" + "a".repeat(43))) {
      browser.visit(carillon.base() + "/" + query);

      browser.see(".sign-in [role=alert]", "This sign-in was not begun in this browser");
      browser.seeNo("body", "555");
      assertEquals("/", browser.address());
    }
  }

  @Test
  void aResponseCountsOnce() {
    signIn("ada", "#/c/orders");
    Object response = came();

    browser.visit(carillon.base() + "/" + response);

    browser.see(".who", "ada"); // the signed-in user stays signed in
    browser.forgetCookies();
    browser.visit(carillon.base() + "/" + response);
    browser.see(".sign-in [role=alert]", "This sign-in was not begun in this browser, or is over");
  }

  @Test
  void whoRefusesToAgreeIsAskedAgain() {
    leave("#/c/orders");
    browser.click("a", "Cancel");

    browser.see(".sign-in [role=alert]", "The sign-in was refused, or cancelled.");
    assertEquals("/#/c/orders", browser.address());
    goToIssuer();
    enterAs("ada");
    browser.see("a.row", "sync");
  }

  @Test
  void whoMayDoNothingHereIsToldSoAndMayBeSomebodyElse() {
    leave("#/c/orders");
    enterAs("nobody");

    browser.see(".sign-in [role=alert]", "You are 'nobody' at the issuer, who may do nothing here");
    goToIssuer();
    enterAs("rita");
    browser.see(".who", "rita");
  }

  @Test
  void whoSignsOutSignsOutOfTheIssuerTooAndIsAskedAgain() {
    signIn("ada", "#/c/orders");

    browser.click("nav button", "Sign out");
    browser.click("button[type=submit]", "Yes, sign me out");

    browser.see("h1", "Sign in");
    assertEquals("/", browser.address().split("\\?", 2)[0]);
    goToIssuer();
    browser.see("input[name=login]", "");
    browser.open("?out#/c/orders");
    browser.see("h1", "Sign in");
  }

  @Test
  void whoHasSignedOutIsAskedWhoTheyAreAlsoWhereTheIssuerStillKnowsThem() {
    signIn("ada", "#/c/orders");
    browser.click("nav button", "Sign out");
    browser.see("button[type=submit]", "Yes, sign me out");

    browser.open("?stay#/c/orders");
    goToIssuer();

    enterAs("rita");
    browser.see(".who", "rita");
    assertEquals(0L, browser.script("return localStorage.length"), "it is asked once");
  }

  @Test
  void whoCannotSignOutIsToldSo() {
    signIn("ada", "#/c/orders");
    browser.see("a.row", "sync");
    EmbeddedChild redis = carillon.redis();
    redis.pause();
    try {
      browser.click("nav button", "Sign out");

      browser.see(".toast.bad", "Your session could not be ended on the server: ");
      browser.seeNo("[role=status]", "You have signed out.");
    } finally {
      redis.resume();
    }
    browser.complaints(); // drops the answer 503
  }

  @Test
  void aKeyIsTakenBesideTheIssuer() {
    browser.open("?key#/c/orders");
    browser.type("input[name=key]", KEY);
    browser.click(".sign-in button", "Sign in with a key");

    browser.see("a.row", "sync");
  }

  @Test
  void everybodyCanUseTheSignIn() {
    PageChecks checks = new PageChecks(browser);
    browser.visit(carillon.base() + "/?code=abc&state=x");
    browser.see(".sign-in [role=alert]", "not begun in this browser");
    browser.see("button.issuer", "Example");

    for (String scheme : List.of("light", "dark")) {
      browser.prefer(scheme);
      assertEquals("", checks.findings(), scheme);
    }
    browser.prefer("light");
    assertEquals(List.of(), checks.unusualText());
    browser.size(390, 844);
    assertEquals(List.of(), checks.tooWide());
    browser.size(1280, 900);
    assertEquals(true, browser.script("return document.activeElement.matches('button.issuer')"));
  }

  @Test
  void anIssuerThatIsDownIsToldAndKeysGoOn() {
    Map<String, String> lonely = settings(Ports.free(), "http://localhost:" + Ports.free());
    try (CarillonProcess node = CarillonProcess.start(folder("lonely"), lonely);
        Browser visitor = new Browser(node.base().toString())) {
      visitor.open("#/collections");
      goToIssuer(visitor);

      visitor.see(".sign-in [role=alert]", "the issuer does not answer as it should; try again");
      visitor.type("input[name=key]", KEY);
      visitor.click(".sign-in button", "Sign in with a key");
      visitor.see("h1", "Collections");
    }
  }
}
