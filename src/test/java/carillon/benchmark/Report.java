package carillon.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param facts about the machine, in order
 */
record Report(Map<String, String> facts, List<ResultRow> figures) {

  /** Facts, then the table. */
  String text() {
    StringBuilder text = new StringBuilder();
    facts.forEach((name, value) -> text.append(String.format("%-24s %s%n", name, value)));
    text.append(System.lineSeparator());
    ResultTable.of(figures)
        .lines()
        .forEach(line -> text.append(line).append(System.lineSeparator()));
    return text.toString();
  }

  /**
   * {@code {"facts": {...}, "figures": [{"name", "value", "ceiling", "ratio", "target",
   * "met"}...]}}; what there is not is left out.
   */
  String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    ObjectNode names = root.putObject("facts");
    facts.forEach(names::put);
    ArrayNode list = root.putArray("figures");
    figures.forEach(figure -> add(list.addObject(), figure));
    return root.toPrettyString();
  }

  private static void add(ObjectNode node, ResultRow figure) {
    node.put("name", figure.name()).put("value", figure.value());
    figure.ceiling().ifPresent(ceiling -> node.put("ceiling", ceiling));
    figure.ratio().ifPresent(ratio -> node.put("ratio", ratio));
    figure.target().ifPresent(target -> node.put("target", target.text()));
    figure.met().ifPresent(met -> node.put("met", met));
  }

  void writeJson(Path file) {
    try {
      Files.writeString(file, json() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
