package carillon.it.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import carillon.support.Browser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks that the page in a browser is readable and usable for everybody. */
final class PageChecks {
  private static final Path AXE = Path.of("src/test/clients/axe/node_modules/axe-core/axe.min.js");

  private final Browser browser;
  private final String axe;

  /** Skips the calling test if axe is not installed. */
  PageChecks(Browser browser) {
    assumeTrue(Files.exists(AXE), "npm ci has not been run in src/test/clients/axe");
    this.browser = browser;
    try {
      this.axe = Files.readString(AXE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns serious violations of accessibility rules. */
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

  /**
   * Returns text with a size or weight that is not one of the allowed five sizes and three weights.
   */
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

  /** Returns elements that make a page wider than a phone, except tables that scroll. */
  Object tooWide() {
    return browser.script(
        "const width = document.documentElement.clientWidth;"
            + "if (document.documentElement.scrollWidth <= width) return [];"
            + "return [...document.querySelectorAll('body *')]"
            + ".filter(e => e.getBoundingClientRect().right > width && !e.closest('.scroll'))"
            + ".map(e => e.outerHTML.slice(0, 120))");
  }
}
