package carillon.it.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import carillon.support.Browser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks of the page that a browser shows: whether everybody can read and use it. */
final class PageChecks {
  private static final Path AXE = Path.of("src/test/clients/axe/node_modules/axe-core/axe.min.js");

  private final Browser browser;
  private final String axe;

  /** Skips the test that asks where axe is not installed. */
  PageChecks(Browser browser) {
    assumeTrue(Files.exists(AXE), "npm ci has not been run in src/test/clients/axe");
    this.browser = browser;
    try {
      this.axe = Files.readString(AXE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What keeps somebody from using the page. */
  String findings() {
    browser.script(axe);
    Object found =
        browser.scriptAsync(
            "const done = arguments[0];"
                + "axe.run({resultTypes: ['violations']}).then(r => done(r.violations"
                + ".filter(v => v.impact === 'serious' || v.impact === 'critical')"
                + ".map(v => v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join('; '))"
                + ".join('\\n')), e => done('axe failed: ' + e))");
    return String.valueOf(found);
  }

  /** Text in another size than the five, or another weight than the three. */
  Object unusualText() {
    return browser.script(
        "const sizes = ['12px', '13px', '15px', '20px', '28px'], weights = ['400', '500', '600'];"
            + "return [...document.querySelectorAll('body *')]"
            + ".filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== ''))"
            + ".filter(e => !['SCRIPT', 'NOSCRIPT', 'OPTION'].includes(e.tagName))"
            + ".map(e => [e, getComputedStyle(e)])"
            + ".filter(([e, s]) => !sizes.includes(s.fontSize) || !weights.includes(s.fontWeight))"
            + ".map(([e, s]) => e.outerHTML.slice(0, 80) + ' ' + s.fontSize + ' ' + s.fontWeight)");
  }

  /** What makes a page wider than a phone; tables may be, where they scroll for themselves. */
  Object tooWide() {
    return browser.script(
        "const width = document.documentElement.clientWidth;"
            + "if (document.documentElement.scrollWidth <= width) return [];"
            + "return [...document.querySelectorAll('body *')]"
            + ".filter(e => e.getBoundingClientRect().right > width && !e.closest('.scroll'))"
            + ".map(e => e.outerHTML.slice(0, 120))");
  }
}
