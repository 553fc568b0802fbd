package carillon.benchmark;

import carillon.load.Table;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Result of a run.
 *
 * @param facts facts about the machine, in display order
 */
record Report(Map<String, String> facts, List<ResultRow> rows) {
  /** Returns the facts, followed by the table. */
  String text() {
    Table table = new Table(List.of("figure", "value", "ceiling", "ratio", "target", "met"));
    rows.forEach(row -> table.add(row.cells()));
    String known =
        facts.entrySet().stream()
            .map(fact -> String.format("%-24s %s%n", fact.getKey(), fact.getValue()))
            .collect(Collectors.joining());
    return known + "\n" + String.join("\n", table.lines()) + "\n";
  }

  /** Returns the rows whose goal applies on every machine and is not met. */
  List<ResultRow> missedEverywhere() {
    return rows.stream()
        .map(ResultRow::unjudged)
        .filter(row -> row.met().equals(Optional.of(false)))
        .toList();
  }

  /**
   * Returns {@code {"facts": {...}, "figures": [{"name", "value", "ceiling", "ratio", "target",
   * "met"}...]}}. Missing values are left out.
   */
  String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    ObjectNode names = root.putObject("facts");
    facts.forEach(names::put);
    ArrayNode list = root.putArray("figures");
    rows.forEach(row -> add(list.addObject(), row));
    return root.toPrettyString();
  }

  private static void add(ObjectNode node, ResultRow row) {
    node.put("name", row.name()).put("value", row.value());
    row.ceiling().ifPresent(ceiling -> node.put("ceiling", ceiling));
    row.ratio().ifPresent(ratio -> node.put("ratio", ratio));
    row.goal().ifPresent(goal -> node.put("target", goal.text()));
    row.met().ifPresent(met -> node.put("met", met));
  }

  void writeJson(Path file) {
    try {
      Files.writeString(file, json() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
