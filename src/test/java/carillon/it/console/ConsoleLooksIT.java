package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/**
 * Test of the console's looks in a real browser: its pages must be readable and usable for
 * everybody.
 */
class ConsoleLooksIT extends ConsoleTestBase {
  @Test
  void theReferenceShowsAnOperationUnderItsAddress() {
    browser.open("docs?address#putJob");

    browser.see("nav a[href='#putJob']", "Creates or replaces a job");
    browser.see("#putJob h3", "Creates or replaces a job");
    browser.see("#putJob td code", "If-Match");
    browser.see("#putJob pre", "retryPolicy");
    browser.see("#schema-Job td code", "timeZone");
    browser.type("nav input", "explain");
    browser.see("#explain code", "/explain");
    browser.seeNo("#putJob", "");
  }

  @Test
  void aLinkOfTheReferenceLeadsToWhatTheFilterHides() {
    browser.open("docs?hidden#putJob");
    for (int i = 0; i < 2; i++) { // the second time the address is already open
      browser.type("nav input", "putJob");
      browser.seeNo("#schema-Job", "");
      browser.click("#putJob a[href='#schema-Job']", "Job");

      browser.see("#schema-Job td code", "timeZone");
      assertEquals("", browser.see("nav input", "").getAttribute("value"));
      assertTrue((Boolean) browser.script(IS_IN_VIEW, "schema-Job"));
    }
    browser.type("nav input", "explain");
    browser.see("#explain code", "/explain");
    browser.script("history.back()");

    browser.see("#putJob h3", "Creates or replaces a job");
    assertTrue((Boolean) browser.script(IS_IN_VIEW, "putJob"));
  }

  private static final String IS_IN_VIEW =
      "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
          + "return Math.round(box.top) >= 0 && box.top < innerHeight";

  @Test
  void theReferenceShowsEachParameterAndLinksTheSchemaOfEachBody() {
    browser.open("docs");
    browser.see("nav a[href='#putJob']", "Creates or replaces a job");

    assertEquals("", browser.scriptAsync(MISSING_IN_REFERENCE));
  }

  /** Compares the page with the description: each parameter, and each schema of a body. */
  private static final String MISSING_IN_REFERENCE =
      """
      const done = arguments[0];
      fetch('/openapi.json').then(answer => answer.json()).then(api => {
        const at = value => value?.$ref ? value.$ref.slice(2).split('/').reduce((o, name) => o[name], api) : value;
        const missing = [];
        for (const [url, path] of Object.entries(api.paths)) {
          for (const method of ['get', 'put', 'post', 'patch', 'delete'].filter(one => path[one])) {
            const operation = path[method];
            const card = document.getElementById(operation.operationId);
            const parameters = [...(path.parameters ?? []), ...(operation.parameters ?? [])].map(at);
            for (const { name, in: place, schema } of parameters) {
              const row = card.querySelector(`tr[data-in="${place}"][data-name="${CSS.escape(name)}"]`);
              const [, type, meaning] = [...row?.children ?? []].map(cell => cell.innerText.trim());
              const byDefault = at(schema).default;
              if (!type || !meaning || byDefault !== undefined && !meaning.includes(`default ${byDefault}`)) {
                missing.push(`${operation.operationId}: ${place} ${name}: ${type}: ${meaning}`);
              }
            }
            for (const body of [operation.requestBody, ...Object.values(operation.responses)].map(at)) {
              for (const { schema } of Object.values(body?.content ?? {})) {
                const link = schema?.$ref && `#schema-${schema.$ref.split('/').pop()}`;
                if (link && !(card.querySelector(`a[href="${link}"]`) && document.querySelector(link))) {
                  missing.push(`${operation.operationId}: ${link}`);
                }
              }
            }
          }
        }
        done(missing.join('\\n'));
      });
      """;

  @Test
  void aPhoneGetsToEveryPageByItsMenu() {
    browser.size(390, 844);
    try {
      browser.open("#/collections");
      browser.see("h1", "Collections");
      browser.seeNo("nav a", "Audit");
      browser.click("nav button", "Collections");
      browser.click("nav a", "Audit");

      browser.see("h1", "Audit");
      browser.seeNo("nav a", "API keys");
      assertEquals(
          0L,
          browser.script(
              "return document.documentElement.scrollWidth - document.documentElement.clientWidth"));
    } finally {
      browser.size(1280, 900);
    }
  }

  /**
   * Returns elements beyond the right edge of the screen, even if the page cannot scroll to them.
   */
  private static final String BEYOND_THE_EDGE =
      "return [...document.querySelectorAll('main *')]"
          + ".filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth)"
          + ".filter(e => !e.closest('thead'))"
          + ".map(e => e.outerHTML.slice(0, 120))";

  @Test
  void aLongUrlOrLabelHidesNothingOnAPhone() {
    put("lengthy", "short", LATER);
    putJob("lengthy", "url", data.job("/" + "u".repeat(90), LATER));
    String labels = ",\"labels\":{\"" + "l".repeat(63) + "\":\"" + "v".repeat(63) + "\"}";
    put("lengthy", "label", labels + LATER);
    browser.size(390, 844);
    try {
      for (String hash : List.of("#/c/lengthy", "#/jobs?name=l", "#/c/lengthy/j/label")) {
        browser.open("?lengthy" + hash);
        browser.see("main .badge", "enabled");
        browser.see("main .badge", "l=v");

        assertEquals(List.of(), browser.script(BEYOND_THE_EDGE), hash);
      }
    } finally {
      browser.size(1280, 900);
    }
  }

  @Test
  void timesAreInTheZoneOfTheViewerOrInUtcAsHeLikes() {
    put("zoned", "job", LATER);
    browser.zone("Europe/Berlin");
    try {
      browser.open("#/c/zoned/j/job");
      assertEquals(
          true,
          browser
              .see(".occurrences time", "2030-01-01 01:00:00")
              .getAttribute("title")
              .startsWith("2030-01-01 01:00:00 CET, in "));
      browser.click("nav button", "Local");
      browser.see(".occurrences", "2030-01-01 00:00:00");
      browser.open("?again#/c/zoned/j/job");
      browser.see(".occurrences", "2030-01-01 00:00:00");
      browser.click("nav button", "UTC");
      browser.see(".occurrences", "2030-01-01 01:00:00");
    } finally {
      browser.zone("UTC");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Europe/Berlin",
        "Asia/Kathmandu",
        "America/St_Johns",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Africa/Monrovia"
      })
  void timesAreAsTheBrowserTellsThem(String zone) {
    browser.zone(zone);
    try {
      browser.open("?" + zone.replace('/', '-') + "#/nothing");
      browser.see("h1", "Nothing is here");
      assertEquals("", browser.scriptAsync(OTHER_TIMES));
    } finally {
      browser.zone("UTC");
    }
  }

  /** Returns instants whose displayed text differs from the browser's own format. */
  private static final String OTHER_TIMES =
      """
      const done = arguments[0];
      import('/console/zone.js').then(({ reading, zoneName }) => {
        const own = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' };
        const format = new Intl.DateTimeFormat('en-GB', own);
        const wrong = [];
        for (let i = 0; i < 4000; i++) {
          const at = Date.UTC(1950, 0, 1) + (i * 7919 % 4001) / 4001 * Date.UTC(2070);
          const { year, month, day, hour, minute, second, timeZoneName } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
          const told = `${year}-${month}-${day} ${hour}:${minute}:${second} ${timeZoneName}`;
          if (`${reading(at)} ${zoneName(at)}` !== told) wrong.push(`${told}: ${reading(at)} ${zoneName(at)}`);
        }
        for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 450_000) {
          const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
          if (!reading(at).endsWith(`${parts.hour}:${parts.minute}:${parts.second}`)) wrong.push(new Date(at).toISOString());
        }
        done(wrong.slice(0, 5).join('; '));
      });
      """;

  @Test
  void rowsAreDenseOrRoomyAndTheKeysAreShown() {
    put("rows", "job", LATER);
    browser.open("#/c/rows");
    browser.see("a.row", "job");
    String height =
        "return Math.round(document.querySelector('main tbody tr').getBoundingClientRect().height)";
    browser.see("td.name", "POST http");
    assertEquals(40L, browser.script(height));
    browser.click("nav button", "Dense");
    browser.see("td.name", "POST http");
    assertTrue((Long) browser.script(height) > 50);
    browser.open("?again#/c/rows");
    browser.click("nav button", "Roomy");
    browser.see("nav button", "Dense");
    browser.press("?");

    browser.see("dialog kbd", "k");
    browser.see("dialog dd", "API keys");
    browser.click("dialog header button", "✕");
  }

  @Test
  void theTabKeyReachesWhateverCanBePressedAndShowsWhereItIs() {
    put("tabbed", "job", ",\"recurrence\":{\"frequency\":\"day\",\"count\":2}");

    for (String hash : List.of("#/", "#/collections", "#/c/tabbed", "#/c/tabbed/j/job")) {
      browser.open("?tabbed" + hash);
      browser.see("main .card", "");
      browser.see("main a[href]", "");
      if (hash.endsWith("/job")) {
        browser.click(".history button.row", "");
      }
      browser.script("window.reached = new Set(); document.activeElement.blur()");
      Object hidden = "";
      Object unreached = List.of(hash);
      for (int tab = 0;
          tab < MAX_TABS && hidden.equals("") && !unreached.equals(List.of());
          tab++) {
        browser.press(Keys.TAB);
        hidden = browser.script(NOTE_FOCUS);
        unreached = browser.script(stops() + ".filter(e => !reached.has(e))" + TOLD);
      }

      assertEquals("", hidden, hash + ": it has the focus and does not show it");
      assertEquals(List.of(), unreached, hash);
    }
  }

  /** Returns the visible elements that can be pressed or filled in. */
  private static String stops() {
    return "return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]"
        + ".filter(e => !e.disabled && e.tabIndex >= 0 && e.checkVisibility() && e.type !== 'radio')";
  }

  /** Records the focused element; returns it when no outline is visible around it. */
  private static final String NOTE_FOCUS =
      "const e = document.activeElement; reached.add(e);"
          + "const isOutlined = s => s.outlineStyle !== 'none' && s.outlineWidth !== '0px';"
          + "return e === document.body || isOutlined(getComputedStyle(e))"
          + " || isOutlined(getComputedStyle(e, '::after'))"
          + " || (e.nextElementSibling && isOutlined(getComputedStyle(e.nextElementSibling)))"
          + " ? '' : e.outerHTML.slice(0, 120)";

  private static final String TOLD = ".map(e => e.outerHTML.slice(0, 120))";

  /**
   * Maximum number of Tab presses, more than any page needs. Parts of a page may load later than
   * others.
   */
  private static final int MAX_TABS = 400;

  @Test
  void everybodyCanUseEveryPageInLightAndDark() {
    PageChecks checks = new PageChecks(browser);
    data.put(
        "/groups/usable/usable/calendars/weekends", "{\"spans\":[{\"weekDays\":[\"sunday\"]}]}");
    put("usable", "twice", ",\"recurrence\":{\"frequency\":\"day\",\"count\":2}");
    put("usable", "workdays", ",\"recurrence\":{\"cron\":\"0 9 * * MON-FRI\"}");
    putJob("usable", "fails", failing("/fail", ""));
    data.put("/flows/usable", "{\"match\":[\"usable.invalid\"],\"parallelism\":3}");
    data.key("usable", "reader:default/default/usable");
    for (String hash :
        List.of(
            "#/",
            "#/collections",
            "#/c/usable",
            "#/c/usable?state=enabled",
            "#/c/usable?sort=next",
            "#/jobs?name=t",
            "#/c/usable/j/twice",
            "#/c/usable/j/workdays/edit",
            "#/c/usable/new",
            "#/c/usable/settings",
            "#/runs",
            "#/failed",
            "#/forecast",
            "#/destinations",
            "#/flows",
            "#/calendars",
            "#/g/usable/usable/calendars/weekends",
            "#/nodes",
            "#/metrics",
            "#/keys",
            "#/audit",
            "#/live",
            "docs#putJob")) {
      browser.open(hash.startsWith("#") ? "?usable" + hash : hash);
      browser.see("main .card", "");
      browser.size(390, 844);
      assertEquals(List.of(), checks.tooWide(), hash);
      browser.size(1280, 900);
      if (hash.startsWith("docs")) {
        browser.type("nav input", "putJob"); // axe takes minutes for the whole reference
        browser.see("#putJob", "");
        browser.seeNo("#listJobs", "");
      }
      if (hash.endsWith("/twice")) {
        browser.click(".history button.row", "");
      }
      if (hash.endsWith("state=enabled")) {
        browser.click(".toolbar button", "Saved filters");
      }
      if (hash.endsWith("sort=next")) {
        browser.click("nav button", "Columns");
      }
      for (String scheme : List.of("light", "dark")) {
        browser.prefer(scheme);
        assertEquals("", checks.findings(), hash + " in " + scheme);
      }
      assertEquals(List.of(), checks.unusualText(), hash);
    }
    browser.prefer("light");
  }

  @Test
  void aThemeIsChosenAndKept() {
    browser.open("#/");
    browser.click("nav button", "Theme: system");
    browser.click("nav button", "Theme: light");
    browser.see("nav button", "Theme: dark");
    browser.open("?again#/");
    browser.see("nav button", "Theme: dark");

    assertEquals("dark", browser.script("return document.documentElement.dataset.theme"));
    assertTrue(browser.script("localStorage.clear(); return true").equals(true));
  }
}
