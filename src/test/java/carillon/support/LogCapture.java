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
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Capture of all log lines, down to DEBUG, with keys and stack traces. Each line is also kept as
 * JSON.
 */
public final class LogCapture implements AutoCloseable {
  /**
   * Loggers whose complaints depend on the load of the machine, or on the end of an earlier test: a
   * late event loop, and an event loop that ended before its connections.
   */
  private static final Set<String> BY_CHANCE =
      Set.of(
          "io.vertx.core.impl.BlockedThreadChecker",
          "io.netty.util.concurrent.DefaultPromise.rejectedExecution");

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
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
      String line = new String(json.encode(event), StandardCharsets.UTF_8);
      lines.add(line);
      if (event.getLevel().isGreaterOrEqual(Level.WARN)
          && !BY_CHANCE.contains(event.getLoggerName())) {
        complaints.add(line);
      }
    }
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns the warnings and errors, except those that come by chance. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  @Override
  public void close() {
    root.detachAppender(appender);
    root.setLevel(before);
  }
}
