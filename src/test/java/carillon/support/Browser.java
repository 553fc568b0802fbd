package carillon.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real headless browser, controlled by its own driver. */
public final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> BROWSERS =
      List.of("/usr/bin/chromium", "/usr/bin/google-chrome");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  private final ChromeDriver driver;
  private final String base;

  public Browser(String base) {
    this.base = base;
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(binary().orElseThrow());
    options.addArguments(
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900");
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .withTimeout(PATIENCE)
            .build();
    driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    zone("UTC");
  }

  /** Whether this machine has a browser and its driver. */
  public static boolean isThere() {
    return binary().isPresent() && Files.isExecutable(DRIVER);
  }

  private static Optional<String> binary() {
    return BROWSERS.stream().filter(path -> Files.isExecutable(Path.of(path))).findFirst();
  }

  /** Opens a page of the console. */
  public void open(String hash) {
    driver.get(base + "/" + hash);
  }

  /** Runs a script in every page opened from now on, before the scripts of the page. */
  public void beforeEachPage(String text) {
    driver.executeCdpCommand(
        "Page.addScriptToEvaluateOnNewDocument", Map.of("source", "{" + text + "}"));
  }

  /** Returns the current address after the host. */
  public String address() {
    return driver.getCurrentUrl().substring(base.length());
  }

  /** Waits until the address contains the text. */
  public void seeAddress(String text) {
    await("'" + text + "' in the address", () -> address().contains(text));
  }

  /** Waits for a visible element that contains the text. */
  public WebElement see(String css, String text) {
    AtomicReference<WebElement> seen = new AtomicReference<>();
    await(
        "'" + text + "' in " + css,
        () -> {
          shown(css, text).ifPresent(seen::set);
          return seen.get() != null;
        });
    return seen.get();
  }

  /** Waits until no such element is visible. */
  public void seeNo(String css, String text) {
    await("no '" + text + "' in " + css, () -> shown(css, text).isEmpty());
  }

  /** Waits for a condition. On timeout, the failure message contains the content of the page. */
  private void await(String what, BooleanSupplier condition) {
    try {
      Await.until(what, PATIENCE, condition);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + script("return document.body.innerText"), e);
    }
  }

  private Optional<WebElement> shown(String css, String text) {
    try {
      return driver.findElements(By.cssSelector(css)).stream()
          .filter(element -> element.isDisplayed() && element.getText().contains(text))
          .findFirst();
    } catch (StaleElementReferenceException e) {
      return Optional.empty();
    }
  }

  /** Clicks the element that contains the text as soon as it is clickable. */
  public void click(String css, String text) {
    await("a click on '" + text + "' in " + css, () -> clicked(css, text));
  }

  private boolean clicked(String css, String text) {
    try {
      Optional<WebElement> element = shown(css, text);
      element.ifPresent(WebElement::click);
      return element.isPresent();
    } catch (WebDriverException e) {
      return false; // redrawn, or covered by another element
    }
  }

  /** Replaces the content of a field as soon as the field is editable. */
  public void type(String css, String text) {
    await("a field " + css + " to type into", () -> typed(css, text));
  }

  private boolean typed(String css, String text) {
    try {
      Optional<WebElement> field = shown(css, "");
      field.ifPresent(WebElement::clear);
      field.ifPresent(empty -> empty.sendKeys(text));
      return field.isPresent();
    } catch (StaleElementReferenceException | ElementNotInteractableException e) {
      return false; // redrawn, and empty
    }
  }

  /** Selects the option with this text in a list. */
  public void choose(String css, String text) {
    see(css, "");
    click(css + " option", text);
  }

  /** Presses keys in the focused element. */
  public void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  public Object script(String text, Object... arguments) {
    return driver.executeScript(text, arguments);
  }

  public Object scriptAsync(String text, Object... arguments) {
    return driver.executeAsyncScript(text, arguments);
  }

  /** Prefers the light or dark scheme, as the system would. Colours change without a transition. */
  public void prefer(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", scheme),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  /** Sets the time zone of the viewer. It is UTC at first, wherever the tests run. */
  public void zone(String id) {
    driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", id));
  }

  public void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
  }

  public void screenshot(Path file) {
    try {
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the cookies of all sites. */
  public void forgetCookies() {
    driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
  }

  /** Opens a page of another site. */
  public void visit(String address) {
    driver.get(address);
  }

  /** Returns the warnings and errors in the browser's log since the previous call. */
  public List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
