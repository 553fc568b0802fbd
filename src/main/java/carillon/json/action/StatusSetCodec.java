package carillon.json.action;

import carillon.job.action.StatusSet;
import carillon.job.name.JobException;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Codec of sets of HTTP statuses: {@code ["404", "5xx"]}. */
public final class StatusSetCodec {
  private static final Pattern FORM = Pattern.compile("[2-5](xx|\\d\\d)");
  private static final String RULE =
      "must be a status from 200 to 599 such as 404, or a class such as 4xx";
  private static final int MAX_ENTRIES = 50;

  private StatusSetCodec() {}

  /** Reads the set of a property, if it is present. */
  static Optional<StatusSet> read(JsonFields fields, String name) {
    if (!fields.has(name)) {
      return Optional.empty();
    }
    List<String> entries = fields.textsOrNumbers(name);
    if (entries.size() > MAX_ENTRIES) {
      fields.report(
          JobException.invalid(
              fields.place(name)
                  + ": "
                  + entries.size()
                  + " entries are more than the "
                  + MAX_ENTRIES
                  + " allowed"));
    }
    List<String> lower = entries.stream().map(entry -> entry.toLowerCase(Locale.ROOT)).toList();
    Optional<String> wrong =
        lower.stream().filter(entry -> !FORM.matcher(entry).matches()).findFirst();
    if (wrong.isPresent()) {
      String given = entries.get(lower.indexOf(wrong.get()));
      fields.report(JsonFields.refuse(fields.place(name), given, RULE));
      return Optional.empty();
    }
    return lower.isEmpty() ? Optional.empty() : Optional.of(new StatusSet(lower));
  }

  /** Writes the set as a property. */
  public static void write(JsonGenerator json, String name, StatusSet statuses) throws IOException {
    JsonOut.writeTexts(json, name, statuses.entries());
  }
}
