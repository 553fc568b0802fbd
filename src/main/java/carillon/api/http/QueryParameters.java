package carillon.api.http;

import carillon.access.AuditEntry.AuditFilter;
import carillon.job.attempt.HistoryEntry.HistoryFilter;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import carillon.job.name.Quoted;
import carillon.text.NearestName;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Query parameters of a request: OData's {@code $filter}, {@code $top}, {@code $skip}, and the
 * rest.
 */
public final class QueryParameters {
  /** Default and largest page. */
  private static final int PAGE = 100;

  /** Taken everywhere: clients of the retired service send it with every request. */
  private static final String API_VERSION = "api-version";

  /** Taken everywhere: asks for JSON in lines. */
  private static final String PRETTY = "pretty";

  private static final Pattern ASKS_FOR_LINES = Pattern.compile("(.*&)?pretty(=true|=)?(&.*)?");

  private static final String SKIP_TOKEN = "$skiptoken";

  private static final String ORDER_BY = "$orderby";
  private static final int MAX_ORDER_LENGTH = 64;

  /** Names that may be written without {@code $}, which a shell would expand. */
  private static final Set<String> OF_ODATA =
      Set.of("$top", "$skip", SKIP_TOKEN, ORDER_BY, ODataFilter.NAME);

  /** Names of the parameters in other interfaces. */
  private static final Map<String, String> MEANT =
      Map.ofEntries(
          Map.entry("limit", "$top"),
          Map.entry("count", "$top"),
          Map.entry("size", "$top"),
          Map.entry("pagesize", "$top"),
          Map.entry("per_page", "$top"),
          Map.entry("offset", "$skip"),
          Map.entry("state", ODataFilter.NAME),
          Map.entry("label", ODataFilter.NAME),
          Map.entry("labels", ODataFilter.NAME),
          Map.entry("status", ODataFilter.NAME),
          Map.entry("sort", ORDER_BY),
          Map.entry("order", ORDER_BY),
          Map.entry("from", "since"),
          Map.entry("delay", "in"));

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_./-]{1,400}");
  private static final Pattern NAME_TOKEN = Pattern.compile("[A-Za-z0-9_.-]{1,300}");
  private static final QueryParameters NONE = new QueryParameters(Map.of());

  private final Map<String, String> parameters;

  private QueryParameters(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /**
   * Reads the query of a request.
   *
   * @param raw as in the request, null when there is none
   */
  public static QueryParameters parse(String raw) {
    if (raw == null || raw.isEmpty()) {
      return NONE;
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      String given = decode(equals < 0 ? pair : pair.substring(0, equals)).toLowerCase(Locale.ROOT);
      String name = OF_ODATA.contains("$" + given) ? "$" + given : given;
      String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
      if (parameters.put(name, value) != null) {
        throw JobException.invalid(Quoted.of(name) + ": is given twice in the query");
      }
    }
    return new QueryParameters(parameters);
  }

  /** Whether a request asks for JSON as people read it, {@code ?pretty}. */
  static boolean isPretty(HttpServerRequest request) {
    String query = request.query();
    return query != null && ASKS_FOR_LINES.matcher(query).matches();
  }

  private static String decode(String text) {
    return RoutePath.decoded(text.replace('+', ' '));
  }

  /** Names of the parameters of lists that come in pages. */
  public static String[] ofPage() {
    return new String[] {"$top", "$skip", SKIP_TOKEN};
  }

  /** Names of the parameters of lists that come in pages and can be filtered. */
  public static String[] ofFilteredPage() {
    return new String[] {ODataFilter.NAME, "$top", "$skip", SKIP_TOKEN};
  }

  /** Names of the parameters of lists that also come in other orders. */
  public static String[] ofOrderedPage() {
    return new String[] {ODataFilter.NAME, ORDER_BY, "$top", "$skip", SKIP_TOKEN};
  }

  /**
   * Refuses the first parameter that is none of these.
   *
   * @param route that takes them, as the refusal names it
   */
  void allowOnly(List<String> known, String route) {
    for (String name : parameters.keySet()) {
      if (!name.isEmpty()
          && !name.equals(API_VERSION)
          && !name.equals(PRETTY)
          && known.stream().noneMatch(name::equalsIgnoreCase)) {
        throw unknown(name, known, route);
      }
    }
  }

  private static JobException unknown(String name, List<String> known, String route) {
    List<String> written =
        known.stream().flatMap(one -> Stream.of(one, one.replace("$", ""))).distinct().toList();
    String hint =
        Optional.ofNullable(MEANT.get(name))
            .filter(known::contains)
            .or(() -> NearestName.of(name, written))
            .map(near -> "did you mean '" + near + "'? ")
            .orElse("");
    String list =
        known.isEmpty()
            ? "none"
            : known.stream().map(one -> "'" + one + "'").collect(Collectors.joining(", "));
    return JobException.invalid(
        Quoted.of(name)
            + ": this query parameter is not known; "
            + hint
            + route
            + " takes "
            + list);
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  /** Returns a parameter that is one of some words, in any case, in the spelling of these words. */
  public Optional<String> word(String name, List<String> words) {
    Optional<String> given = text(name.toLowerCase(Locale.ROOT));
    Optional<String> word =
        given.flatMap(text -> words.stream().filter(text::equalsIgnoreCase).findFirst());
    if (given.isPresent() && word.isEmpty()) {
      throw refusal(name, "must be one of " + String.join(", ", words));
    }
    return word;
  }

  /**
   * Returns a parameter of at most {@code maxLength} characters. An empty value, for example of an
   * unset variable, is refused because it would go unnoticed.
   */
  public Optional<String> shortText(String name, int maxLength) {
    Optional<String> text = text(name.toLowerCase(Locale.ROOT));
    if (text.filter(String::isEmpty).isPresent()) {
      throw refusal(name, "must not be empty; leave it out instead");
    }
    if (text.filter(given -> given.length() > maxLength).isPresent()) {
      throw refusal(name, "must have at most " + maxLength + " characters");
    }
    return text;
  }

  public int top() {
    return top(PAGE);
  }

  /**
   * Returns the maximum number of entries of a list: {@code $top}, from 1 to {@code max}. Its
   * default is the size of a default page.
   */
  public int top(int max) {
    return number("$top", 1, max, PAGE);
  }

  /** Returns a parameter that is a number from 0 on; 0 if it is absent. */
  public int count(String name, int max) {
    return count(name, max, 0);
  }

  /** Returns a parameter that is a number from 0 on; {@code absent} if it is absent. */
  public int count(String name, int max, int absent) {
    return number(name, 0, max, absent);
  }

  public int skip() {
    return number("$skip", 0, Integer.MAX_VALUE, 0);
  }

  private int number(String name, int min, int max, int absent) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return absent;
    }
    if (text.get().matches("\\d{1,10}")) {
      long number = Long.parseLong(text.get());
      if (number >= min && number <= max) {
        return (int) number;
      }
    }
    throw refusal(name, "must be a whole number from " + min + " to " + max);
  }

  /** Returns the token at which a continued list starts; empty text for the beginning. */
  public String after() {
    return after(TOKEN, "must be the token of a nextLink");
  }

  /**
   * Returns the name after which a continued list in the order of names starts; empty text for the
   * beginning.
   */
  public String afterName() {
    return after(NAME_TOKEN, "must be the token of a nextLink of this list, in its own order");
  }

  private String after(Pattern pattern, String rule) {
    Optional<String> token = text(SKIP_TOKEN);
    if (token.filter(text -> !pattern.matcher(text).matches()).isPresent()) {
      throw refusal(SKIP_TOKEN, rule);
    }
    return token.orElse("");
  }

  /** Returns the value of {@code $orderby}. */
  public Optional<String> order() {
    return shortText(ORDER_BY, MAX_ORDER_LENGTH);
  }

  /** Entries that a continued history skips. */
  public int afterEntries() {
    return number(SKIP_TOKEN, 0, Integer.MAX_VALUE, skip());
  }

  /**
   * Filter of jobs.
   *
   * @param state empty for any
   * @param labels that a job must have, with these values
   */
  public record JobFilter(Optional<JobState> state, Map<String, String> labels) {
    /** Every job. */
    public static final JobFilter ALL = new JobFilter(Optional.empty(), Map.of());

    public JobFilter {
      labels = Map.copyOf(labels);
    }
  }

  /** The filter of jobs. */
  public JobFilter jobFilter() {
    return text(ODataFilter.NAME).map(text -> new ODataFilter(text).jobs()).orElse(JobFilter.ALL);
  }

  /** The filter of a history by the state of its job. */
  public Optional<JobState> stateFilter() {
    return text(ODataFilter.NAME).map(text -> new ODataFilter(text).state());
  }

  /** The filter of a history without marks. */
  public HistoryFilter historyFilter() {
    return historyFilter(false);
  }

  /** The filter of a history, by the status of marks only with these. */
  public HistoryFilter historyFilter(boolean withMarks) {
    return text(ODataFilter.NAME)
        .map(text -> new ODataFilter(text).history(withMarks))
        .orElse(HistoryFilter.ALL);
  }

  /** The filter of the audit log. */
  public AuditFilter auditFilter() {
    return text(ODataFilter.NAME)
        .map(text -> new ODataFilter(text).audit())
        .orElse(AuditFilter.ALL);
  }

  private JobException refusal(String name, String rule) {
    return JobException.invalid(
        name + ": '" + Quoted.of(text(name.toLowerCase(Locale.ROOT)).orElse("")) + "' " + rule);
  }

  /** The query that continues a list, without what has been skipped already. */
  String continuedAt(String token) {
    Map<String, String> next = new LinkedHashMap<>(parameters);
    next.remove("$skip");
    next.put(SKIP_TOKEN, token);
    StringBuilder query = new StringBuilder();
    next.forEach(
        (name, value) ->
            query
                .append(query.isEmpty() ? '?' : '&')
                .append(encode(name).replace("%24", "$"))
                .append('=')
                .append(encode(value)));
    return query.toString();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
