package carillon.json.action;

import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.QuerySecrets;
import carillon.job.action.SensitiveNames;
import carillon.job.action.TextMapping.TextForm;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.job.template.Template;
import carillon.json.text.JsonFields;
import java.util.concurrent.atomic.AtomicInteger;

/** Rules for placeholders in the texts of a call. */
final class PlaceholderRules {
  /** Property of a payload that switches its placeholders on. */
  static final String PLACEHOLDERS = "placeholders";

  /** Maximum number of placeholders in a call, since each may be longer when it is filled. */
  private static final int MAX_COUNT = 100;

  private static final String SECRET =
      "must hold no placeholder: its value is a secret, which is stored encrypted";

  private PlaceholderRules() {}

  /** Whether the texts of the payload hold placeholders. */
  static boolean areIn(JsonFields payload) {
    return payload.truth(PLACEHOLDERS).orElse(false);
  }

  /**
   * Checks the placeholders of a call. Returns the call with invented values in their places, for
   * all other rules; the call itself if it has no placeholders.
   */
  static ActionCall sample(JsonFields payload, ActionCall call) {
    if (!areIn(payload)) {
      return call;
    }
    if (call instanceof HttpCall http) {
      checkHttp(payload, http);
    }
    AtomicInteger count = new AtomicInteger();
    ActionCall sample =
        call.mapTexts((field, text, form) -> sample(payload, count, field, text, form));
    if (count.get() > MAX_COUNT) {
      payload.report(
          JobException.invalid(
              payload.place(PLACEHOLDERS)
                  + ": "
                  + count
                  + " placeholders are more than the "
                  + MAX_COUNT
                  + " allowed"));
    }
    return sample;
  }

  private static String sample(
      JsonFields payload, AtomicInteger count, String field, String text, TextForm form) {
    try {
      Template template = Template.parse(text);
      count.addAndGet(template.count());
      return template.sample(form);
    } catch (IllegalArgumentException e) {
      payload.report(refusal(payload, field, e.getMessage()));
      return "";
    }
  }

  /** Checks where placeholders stand: the target of a call, and its secrets, must be fixed. */
  private static void checkHttp(JsonFields payload, HttpCall call) {
    String uri = call.uri();
    int authority = uri.indexOf("//") + 2;
    if (Template.isIn(uri.substring(0, end(uri, authority)))) {
      payload.report(refusal(payload, "uri", "must hold placeholders in its path and query only"));
    }
    if (QuerySecrets.of(uri).values().stream().anyMatch(Template::isIn)) {
      payload.report(refusal(payload, "uri", SECRET));
    }
    call.headers()
        .forEach(
            (name, value) -> {
              if (SensitiveNames.isHeader(name) && Template.isIn(value)) {
                payload.report(refusal(payload, "headers." + Quoted.of(name), SECRET));
              }
            });
  }

  private static int end(String uri, int authority) {
    int end = authority;
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static JobException refusal(JsonFields payload, String field, String rule) {
    return JobException.invalid(payload.place(field) + ": " + rule);
  }
}
