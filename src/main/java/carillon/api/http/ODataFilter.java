package carillon.api.http;

import static java.util.stream.Collectors.joining;

import carillon.access.AuditEntry.AuditFilter;
import carillon.api.http.QueryParameters.JobFilter;
import carillon.job.JobDefinition.Metadata;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.HistoryFilter;
import carillon.job.attempt.HistoryEntry.HistoryFilter.Comparison;
import carillon.job.attempt.HistoryItem;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import carillon.job.name.Quoted;
import carillon.json.text.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Parser of OData's {@code $filter}, as much of it as the lists understand: comparisons joined by
 * {@code and}, values with or without quotes.
 */
final class ODataFilter {
  static final String NAME = "$filter";
  private static final Pattern AND = Pattern.compile("\\s+and\\s+", Pattern.CASE_INSENSITIVE);
  private static final Pattern COMPARISON =
      Pattern.compile("\\s*([\\w/.-]+)\\s+(\\w+)\\s+(?:(?:datetime)?'([^']*)'|([^\\s']+))\\s*");
  private static final Pattern CODE = Pattern.compile("[0-9]{1,3}");
  private static final int MAX_TERMS = 10;
  private static final String LABELS = "labels/";
  private static final String JOBS_FORM =
      "must be of the form: state eq X, labels/NAME eq VALUE, joined by and";

  private static final String HISTORY_FORM =
      "must be of the form: status eq X, statusCode ge N, startTime ge T, endTime lt T (also gt,"
          + " le), joined by and";

  private static final String AUDIT_FORM =
      "must be of the form: object eq 'sub/group/collection/job', time ge T, time lt T (also gt,"
          + " le), joined by and";

  private final String text;

  ODataFilter(String text) {
    this.text = text;
  }

  /** {@code state eq 'Enabled'}. */
  JobState state() {
    String rule = "must be of the form: state eq X";
    List<Clause> terms = terms(rule);
    if (terms.size() != 1
        || !terms.get(0).is("state")
        || terms.get(0).comparison != Comparison.EQ) {
      throw refusal(rule);
    }
    return word("state", terms.get(0).value, List.of(JobState.values()));
  }

  /** {@code state eq 'Enabled' and labels/team eq 'billing'}. */
  JobFilter jobs() {
    Optional<JobState> state = Optional.empty();
    Map<String, String> labels = new LinkedHashMap<>();
    for (Clause term : terms(JOBS_FORM)) {
      if (term.comparison != Comparison.EQ) {
        throw refusal(JOBS_FORM);
      } else if (term.is("state") && state.isEmpty()) {
        state = Optional.of(word("state", term.value, List.of(JobState.values())));
      } else if (labels.putIfAbsent(label(term), term.value) != null) {
        throw refusal("names a label twice, and a job has each once");
      }
    }
    return new JobFilter(state, labels);
  }

  /** The label that a comparison is about. */
  private String label(Clause term) {
    String name = term.property.startsWith(LABELS) ? term.property.substring(LABELS.length()) : "";
    if (!Metadata.isName(name)) {
      throw refusal(JOBS_FORM);
    }
    if (!Metadata.isValue(term.value)) {
      throw refusal("compares with a value that no label has: it " + Metadata.VALUE_RULE);
    }
    return name;
  }

  /** {@code status eq 'Failed' and startTime ge 2026-11-20T18:00:00Z}. */
  HistoryFilter history(boolean withMarks) {
    List<HistoryEntry.Status> statuses =
        withMarks ? List.of(HistoryEntry.Status.values()) : HistoryEntry.Status.OF_ENTRIES;
    return new HistoryFilter(
        terms(HISTORY_FORM).stream().map(term -> condition(term, statuses)).toList());
  }

  /** {@code object eq 'default/default/orders' and time ge 2026-11-20T18:00:00Z}. */
  AuditFilter audit() {
    AuditFilter filter = AuditFilter.ALL;
    for (Clause term : terms(AUDIT_FORM)) {
      filter = narrowed(filter, term);
    }
    return filter;
  }

  private AuditFilter narrowed(AuditFilter filter, Clause term) {
    if (term.is("object") && term.comparison == Comparison.EQ && filter.object().isEmpty()) {
      return filter.of(term.value.toLowerCase(Locale.ROOT));
    }
    if (!term.is("time") || term.comparison == Comparison.EQ) {
      throw refusal(AUDIT_FORM);
    }
    long millis = instant(term.value).toEpochMilli();
    return switch (term.comparison) {
      case GE -> filter.from(millis);
      case GT -> filter.from(millis + 1);
      case LE -> filter.until(millis);
      default -> filter.until(millis - 1);
    };
  }

  private Predicate<HistoryItem> condition(Clause term, List<HistoryEntry.Status> statuses) {
    if (term.is("startTime")) {
      return term.comparison.with(HistoryItem::start, instant(term.value));
    }
    if (term.is("endTime")) {
      return term.comparison.with(HistoryItem::end, instant(term.value));
    }
    if (term.is("status") && term.comparison == Comparison.EQ) {
      HistoryEntry.Status status = word("status", term.value, statuses);
      return item -> item.status() == status;
    }
    if (term.is("statusCode") && CODE.matcher(term.value).matches()) {
      int code = Integer.parseInt(term.value);
      return item ->
          item instanceof HistoryEntry entry
              && entry.call().statusCode().isPresent()
              && term.comparison.holds(Integer.compare(entry.call().statusCode().getAsInt(), code));
    }
    throw refusal(HISTORY_FORM);
  }

  /** Comparison of a property with a value. */
  private record Clause(String property, Comparison comparison, String value) {
    boolean is(String name) {
      return property.equalsIgnoreCase(name);
    }
  }

  private List<Clause> terms(String rule) {
    List<Clause> terms = new ArrayList<>();
    for (String part : AND.split(text, MAX_TERMS + 1)) {
      Matcher matcher = COMPARISON.matcher(part);
      if (!matcher.matches()) {
        throw refusal(rule);
      }
      String value = matcher.group(3) == null ? matcher.group(4) : matcher.group(3);
      terms.add(new Clause(matcher.group(1), comparison(matcher.group(2), rule), value));
    }
    return terms;
  }

  private Comparison comparison(String word, String rule) {
    return Stream.of(Comparison.values())
        .filter(comparison -> comparison.name().equals(word.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> refusal(rule));
  }

  private <T extends Enum<T>> T word(String property, String word, List<T> values) {
    return values.stream()
        .filter(value -> value.name().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                refusal(
                    "names no "
                        + property
                        + ", which is one of "
                        + values.stream()
                            .map(value -> value.name().toLowerCase(Locale.ROOT))
                            .collect(joining(", "))));
  }

  private Instant instant(String value) {
    try {
      return Timestamps.parse(value);
    } catch (DateTimeException e) {
      throw refusal("compares with '" + Quoted.of(value) + "', which " + Timestamps.RULE);
    }
  }

  /** Returns a refusal. The filter is in quotes, unless it contains quotes itself. */
  private JobException refusal(String rule) {
    String quote = text.contains("'") ? "" : "'";
    return JobException.invalid(NAME + ": " + quote + Quoted.of(text) + quote + " " + rule);
  }
}
