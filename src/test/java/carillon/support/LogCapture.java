package carillon.support;

import carillon.observe.JsonLogEncoder;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Capture of all log lines, down to DEBUG, with keys and stack traces. Each line is also kept as
 * JSON.
 */
public final class LogCapture implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final Level before = root.getLevel();
  private final JsonLogEncoder json = new JsonLogEncoder();
  private final Appender appender = new Appender();

  public LogCapture() {
    appender.setContext(root.getLoggerContext());
    appender.start();
    root.addAppender(appender);
    root.setLevel(Level.DEBUG);
  }

  private final class Appender extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      IThrowableProxy thrown = event.getThrowableProxy();
      lines.add(
          event.getLoggerName()
              + " "
              + event.getFormattedMessage()
              + " "
              + event.getKeyValuePairs()
              + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown)));
      lines.add(new String(json.encode(event), StandardCharsets.UTF_8));
    }
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns the first three warnings and errors. */
  public List<String> complaints() {
    return lines.stream()
        .filter(line -> line.contains("\"level\":\"ERROR\"") || line.contains("\"level\":\"WARN\""))
        .limit(3)
        .toList();
  }

  @Override
  public void close() {
    root.detachAppender(appender);
    root.setLevel(before);
  }
}
