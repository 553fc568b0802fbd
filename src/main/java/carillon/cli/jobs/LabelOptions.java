package carillon.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options that choose jobs by their labels. */
final class LabelOptions {
  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "Only jobs with this label; more than once.")
  private Map<String, String> labels = new LinkedHashMap<>();

  /**
   * Returns the filter; null without any term.
   *
   * @param terms that the filter also contains
   */
  String filter(Stream<String> terms) {
    Stream<String> own =
        labels.entrySet().stream()
            .map(label -> "labels/" + label.getKey() + " eq '" + label.getValue() + "'");
    String filter = Stream.concat(terms, own).collect(Collectors.joining(" and "));
    return filter.isEmpty() ? null : filter;
  }

  /** The cell of a job's labels: {@code env=prod, team=billing}. */
  static String cell(JsonNode job) {
    return job.path("labels").properties().stream()
        .map(label -> label.getKey() + "=" + label.getValue().asText())
        .collect(Collectors.joining(", "));
  }
}
