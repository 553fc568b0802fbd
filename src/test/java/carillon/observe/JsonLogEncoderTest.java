package carillon.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of log lines for programs, and of their documentation. */
class JsonLogEncoderTest {
  /** Also finds the name of a constant, so that a key must be a literal to count as documented. */
  private static final Pattern KEY = Pattern.compile("addKeyValue\\(\\s*\"?(\\w+)");

  private static final Pattern MESSAGE =
      Pattern.compile("(?<=\"message\":\"|`)([a-z]+(?: [a-z]+)+)(?=[\"`])");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();
  private final Logger logger = context.getLogger("carillon.Somebody");

  JsonLogEncoderTest() {
    events.start();
    logger.addAppender(events);
  }

  private JsonNode line() throws IOException {
    String text =
        new String(new JsonLogEncoder().encode(events.list.get(0)), StandardCharsets.UTF_8);
    assertEquals(text.length() - 1, text.indexOf('\n'), text);
    return new ObjectMapper().readTree(text);
  }

  @Test
  void aLineIsOneObjectWithTheKeysOfTheEvent() throws IOException {
    context.putProperty(JsonLogEncoder.NODE, "n1");
    logger
        .atWarn()
        .addKeyValue("run", "run:a/b/c \"x\"\nat=1")
        .addKeyValue("runs", 3)
        .addKeyValue("held", true)
        .addKeyValue("error", new IllegalStateException("why"))
        .log("took over {}", "something");

    JsonNode line = line();

    assertTrue(line.get("time").asText().matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z"));
    assertEquals("WARN", line.get("level").asText());
    assertEquals("carillon.Somebody", line.get("logger").asText());
    assertEquals("took over something", line.get("message").asText());
    assertEquals("n1", line.get("node").asText());
    assertEquals("run:a/b/c \"x\"\nat=1", line.get("run").asText());
    assertEquals(3, line.get("runs").intValue());
    assertTrue(line.get("held").booleanValue());
    assertEquals("java.lang.IllegalStateException: why", line.get("error").textValue());
  }

  @Test
  void aKeyOfTheLineIsNotTakenTwice() throws IOException {
    context.putProperty(JsonLogEncoder.NODE, "n1");
    logger.atInfo().addKeyValue("node", "n2").addKeyValue("message", "m").log("other");

    assertEquals("n1", line().get("node").asText());
    assertEquals("other", line().get("message").asText());
  }

  @Test
  void anExceptionStaysOnTheLine() throws IOException {
    logger.atError().setCause(new IllegalStateException("why\nso")).log("failed");

    JsonNode line = line();

    assertTrue(line.get("exception").asText().contains("at carillon.observe.JsonLogEncoderTest"));
    assertEquals(null, line.get("node"));
  }

  private static Class<?> encoder(boolean isJson) {
    LoggerContext fresh = new LoggerContext();
    LogSetup.setUp(fresh, Level.WARN, isJson);
    assertEquals(Level.WARN, fresh.getLogger("carillon").getEffectiveLevel());
    assertEquals(Level.OFF, fresh.getLogger("io.vertx.core.net.impl.ConnectionBase").getLevel());
    Iterator<Appender<ILoggingEvent>> appenders = fresh.getLogger("ROOT").iteratorForAppenders();
    Appender<ILoggingEvent> only = appenders.next();
    assertFalse(appenders.hasNext());
    return ((ConsoleAppender<ILoggingEvent>) only).getEncoder().getClass();
  }

  @Test
  void theSettingsChooseFormAndLevel() {
    assertEquals(JsonLogEncoder.class, encoder(true));
    assertEquals(PatternLayoutEncoder.class, encoder(false));
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("src/docs/logs.md"));
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String sources() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        sources.append(Files.readString(file));
      }
    }
    return sources.toString();
  }

  @Test
  void theDocumentedKeysAreThoseThatAreLogged() throws IOException {
    Set<String> logged = found(KEY, sources());
    logged.addAll(Set.of("time", "level", "logger", "message", "exception"));

    assertEquals(logged, found(ROW, page()));
  }

  @Test
  void theDocumentedMessagesAreLogged() throws IOException {
    String sources = sources();
    Set<String> messages = found(MESSAGE, page());

    assertTrue(messages.contains("execution given up"), messages.toString());
    messages.removeIf(message -> sources.contains(".log(\"" + message + "\")"));
    assertEquals(Set.of(), messages);
  }
}
