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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Rules for placeholders in the texts of a call. */
final class PlaceholderRules {
  /** Property of a payload that switches its placeholders on. */
  static final String PLACEHOLDERS = "placeholders";

  /** Maximum number of placeholders in a call, since each may be longer when it is filled. */
  private static final int MAX_COUNT = 100;

  private static final String SECRET =
      " must hold no placeholder: its value is a secret, which is stored encrypted";

  /** Signs that divide a URI. A placeholder with one would hide where secrets are. */
  private static final String DIVIDERS = "?&=;#";

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

  /** Checks where placeholders are: the target, names of parameters and all secrets are fixed. */
  private static void checkHttp(JsonFields payload, HttpCall call) {
    uriRule(call.uri()).ifPresent(rule -> payload.report(refusal(payload, "uri", rule)));
    call.headers()
        .forEach(
            (name, value) -> {
              if (SensitiveNames.isHeader(name) && Template.isIn(value)) {
                payload.report(
                    JobException.invalid(
                        payload.place("headers." + Quoted.of(name)) + ":" + SECRET));
              }
            });
  }

  /** Returns the rule about placeholders that a URI breaks. */
  private static Optional<String> uriRule(String uri) {
    if (Template.isDivided(uri, DIVIDERS)) {
      return Optional.of("must hold none of " + DIVIDERS + " within a placeholder");
    }
    int fragment = uri.indexOf('#');
    String behind = fragment < 0 ? "" : uri.substring(fragment);
    if (Template.isIn(uri.substring(0, QuerySecrets.authorityEnd(uri, uri.indexOf("//") + 2)))
        || Template.isIn(behind)) {
      return Optional.of("must hold placeholders in its path and query only");
    }
    if (Stream.of(uri.split("[?&]")).skip(1).anyMatch(PlaceholderRules::hasOpenName)) {
      return Optional.of("must hold placeholders in the values of parameters, not in their names");
    }
    return QuerySecrets.of(uri).entrySet().stream()
        .filter(secret -> Template.isIn(secret.getValue()))
        .findFirst()
        .map(secret -> "parameter '" + Quoted.of(secret.getKey()) + "'" + SECRET);
  }

  /** Whether a placeholder is in the name of a parameter that has a value. */
  private static boolean hasOpenName(String parameter) {
    int equals = parameter.indexOf('=');
    return equals >= 0 && Template.isIn(parameter.substring(0, equals));
  }

  private static JobException refusal(JsonFields payload, String field, String rule) {
    return JobException.invalid(payload.place(field) + ": " + rule);
  }
}
