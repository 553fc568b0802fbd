package carillon.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

/**
 * Random mutations of good documents. Values are replaced by nasty ones, members are removed,
 * repeated and renamed, and the text itself is cut and garbled. The same seed gives the same
 * documents.
 */
final class Mutations {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DEEP = 40;

  /** JSON values, separated by two spaces. */
  private static final List<String> NASTY =
      List.of(
          """
          null  true  0  -1  1  -0.0  1e400  1e-400  9007199254740993  9223372036854775808
          -9223372036854775809  2147483648  0.1  []  {}  [null]  ""  " "  "\\u0000"  "\\ud800"
          "\\ud83d\\ude00"  "\\r\\nX: y"  "../../etc"  "${jndi:ldap://x}"  "{{7*7}}"  "a:b{17}"
          "PT0S"  "P1Y"  "PT9223372036854775807S"  "-PT1S"  "P99999999DT1S"  "1.00:00:00"
          "2030-02-30T00:00:00Z"  "+999999999-12-31T23:59:59Z"  "0000-01-01T00:00:00Z"
          "9999-12-31T23:59:59.9999999Z"  "2031-01-01T00:00:00+18:01"  "/Date(1)/"  "minute"
          "Year"  "monday"  ["monday","monday"]  [59,60]  [-1,31]  [1,1.5,"2"]
          {"day":"friday","occurrence":-5}  "http://127.0.0.1:9/"  "http://[::1"
          "http://a@b@c/"  "file:///etc/passwd"  "https://"  "http://h:99999/"
          "javascript:alert(1)"  "sealed:v1:x:y"  "storageQueue"  "serviceBusQueue"
          "redisStream"  "Europe/Berlin"  "Pacific/Apia"  "W. Europe Standard Time"  "PST"  "+18:00"
          "-18:00"  "+05:30:15"  "skip"  "boundary"  "both"  "last"  "2027-03-28T02:30:00"
          "1970-01-01T00:00:00"  "9999-12-31T23:59:59.9999999"
          """
              .split("  |\n"));

  private static final List<String> JOBS =
      List.of(
          """
          {"startTime":"2031-01-01T00:00:00Z","action":{"type":"http","request":{
           "uri":"http://127.0.0.1:9/","method":"POST","headers":{"X-A":"b"},"body":"hi"},
           "retryPolicy":{"retryType":"fixed","retryInterval":"PT30S","retryCount":2},
           "errorAction":{"type":"http","request":{"uri":"http://127.0.0.1:9/e","method":"GET"}}},
           "recurrence":{"frequency":"minute","interval":5,"count":9,
           "endTime":"2031-06-01T00:00:00Z"},"state":"enabled"}
          """,
          """
          {"action":{"type":"https","request":{"uri":"https://127.0.0.1:9/","method":"PUT",
           "authentication":{"type":"Basic","username":"u","password":"p"}}},
           "recurrence":{"frequency":"month","schedule":{"monthlyOccurrences":[
           {"day":"friday","occurrence":-1}],"hours":[5,17],"minutes":[0,30]}}}
          """,
          """
          {"action":{"type":"storageQueue","queueMessage":{"storageAccount":"acc",
           "queueName":"queue","sasToken":"t","message":"m"}},"recurrence":{"frequency":"week",
           "schedule":{"weekDays":["monday","sunday"],"hours":[0]}},"timeZone":"America/New_York",
           "dst":{"gap":"skip"},"startTime":"2027-03-14T02:30:00"}
          """);

  private static final List<String> RECURRENCES =
      List.of(
          """
          {"startTime":"2031-01-31T23:59:59Z","recurrence":{"frequency":"month","interval":1,
           "schedule":{"monthDays":[-1,31],"hours":[0,23],"minutes":[59]}}}
          """,
          """
          {"startTime":"2032-02-29T00:00:00Z","recurrence":{"frequency":"year","interval":4}}
          """,
          """
          {"startTime":"2027-03-28T02:30:00","timeZone":"Europe/Berlin","recurrence":{
           "frequency":"day","endTime":"9999-12-31T23:00:00"},"dst":{"gap":"boundary","fold":"both"}}
          """,
          """
          {"recurrence":{"frequency":"day","interval":3,"count":1000,
           "endTime":"2099-01-01T00:00:00Z","schedule":{"hours":[1,2,3],"minutes":[0]}}}
          """,
          """
          {"recurrence":{"frequency":"month","interval":12,"schedule":{"monthlyOccurrences":[
           {"day":"monday","occurrence":5},{"day":"sunday","occurrence":-5}]}}}
          """,
          """
          {"recurrence":{"frequency":"week","interval":52,"schedule":{"weekDays":["sunday"],
           "minutes":[0,15,30,45]}}}
          """);

  private final Random random;

  Mutations(long seed) {
    this.random = new Random(seed);
  }

  /** Returns a job that may be valid, invalid or not JSON. */
  String job() {
    return mutated(oneOf(JOBS));
  }

  /** Returns such a body for {@code /preview}. */
  String recurrence() {
    return mutated(oneOf(RECURRENCES));
  }

  private String mutated(String good) {
    try {
      JsonNode tree = JSON.readTree(good);
      List<String> texts = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        change(tree, texts);
      }
      String text = tree.toString();
      for (int i = 0; i < texts.size(); i++) {
        text = text.replace("\"@" + i + "\"", texts.get(i));
      }
      return random.nextInt(5) == 0 ? garbled(text) : text;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Changes a member of the tree. A value that no tree can hold gets a placeholder that is replaced
   * afterwards.
   */
  private void change(JsonNode root, List<String> texts) {
    List<ObjectNode> objects = new ArrayList<>();
    collect(root, objects);
    ObjectNode object = oneOf(objects);
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    if (names.isEmpty()) {
      object.put("x", 1);
      return;
    }
    String name = oneOf(names);
    switch (random.nextInt(8)) {
      case 0 -> object.remove(name);
      case 1 ->
          object.set(
              oneOf(List.of("x", "Type", "", "uri", "interval", name + " ")), object.get(name));
      case 2 -> object.set(name, object.deepCopy());
      case 3 ->
          object.put(name, oneOf(List.of("a", "0", "é", "\u202e")).repeat(random.nextInt(9000)));
      case 4 -> object.set(name, deep());
      default -> {
        object.set(name, TextNode.valueOf("@" + texts.size()));
        texts.add(oneOf(NASTY));
      }
    }
  }

  private JsonNode deep() {
    ArrayNode outer = JSON.createArrayNode();
    ArrayNode inner = outer;
    for (int i = random.nextInt(DEEP); i > 0; i--) {
      inner = inner.addArray();
    }
    return outer;
  }

  private static void collect(JsonNode node, List<ObjectNode> objects) {
    if (node instanceof ObjectNode object) {
      objects.add(object);
    }
    for (Iterator<JsonNode> children = node.elements(); children.hasNext(); ) {
      collect(children.next(), objects);
    }
  }

  private String garbled(String text) {
    int at = random.nextInt(text.length());
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at);
      case 1 -> text.substring(0, at) + (char) random.nextInt(0x300) + text.substring(at);
      case 2 -> text.substring(0, at) + text.substring(Math.min(text.length(), at + 1));
      case 3 -> text + text.substring(at);
      default -> text.substring(0, at) + text;
    };
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** Returns a name that may or may not be valid for a job. */
  String name() {
    return random.nextInt(20) > 0
        ? "f" + random.nextInt(10)
        : oneOf(
                List.of(
                    "%00",
                    "..", "%2e%2e", "a%2Fb", "{17}", "a:b", "%zz", "x".repeat(129), "%F0%9F%98%80"))
            .replace("{", "%7B")
            .replace("}", "%7D")
            .replace("%zz", "%25zz");
  }
}
