package carillon.support;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of the text format of Prometheus. */
public final class Scrape {
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(\\{.*})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  private final String text;
  private final Map<String, Double> samples = new TreeMap<>();
  private final Map<String, String> types = new TreeMap<>();
  private final Map<String, String> helps = new TreeMap<>();

  private Scrape(String text) {
    this.text = text;
    text.lines().forEach(this::read);
  }

  public static Scrape of(String text) {
    return new Scrape(text);
  }

  private void read(String line) {
    Matcher sample = SAMPLE.matcher(line);
    if (line.startsWith("# TYPE ")) {
      String[] words = line.split(" ", -1);
      types.put(words[2], words[3]);
    } else if (line.startsWith("# HELP ")) {
      String[] words = line.split(" ", 4);
      helps.put(words[2], words[3]);
    } else if (sample.matches()) {
      samples.put(line.substring(0, line.lastIndexOf(' ')), Double.valueOf(sample.group(3)));
    } else {
      throw new IllegalArgumentException("not the text format of Prometheus: " + line);
    }
  }

  public String text() {
    return text;
  }

  /** Returns the value of a sample. Its labels must be in alphabetical order. */
  public double value(String sample) {
    Double value = samples.get(sample);
    if (value == null) {
      throw new AssertionError("no " + sample + " in " + samples.keySet());
    }
    return value;
  }

  /** Returns the value of a sample, or 0 if it does not exist. */
  public double sum(String sample) {
    return samples.getOrDefault(sample, 0.0);
  }

  /** Whether there are samples of this name. */
  public boolean has(String name) {
    return samples.keySet().stream()
        .anyMatch(sample -> sample.equals(name) || sample.startsWith(name + "{"));
  }

  public Set<String> families(String prefix) {
    Set<String> families = new TreeSet<>(types.keySet());
    families.removeIf(family -> !family.startsWith(prefix));
    return families;
  }

  public String type(String family) {
    return types.get(family);
  }

  public String help(String family) {
    return helps.get(family);
  }

  /** Returns the label names of a family except {@code le}, separated by commas. */
  public String labels(String family) {
    Set<String> labels = new TreeSet<>();
    samples.keySet().stream()
        .filter(sample -> sample.startsWith(family + "{") || sample.startsWith(family + "_bucket{"))
        .forEach(sample -> LABEL.matcher(sample).results().forEach(l -> labels.add(l.group(1))));
    labels.remove("le");
    return String.join(",", labels);
  }
}
