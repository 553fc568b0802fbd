package carillon.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import ch.qos.logback.core.util.Loader;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Set-up of logging, in place of a {@code logback.xml}, because reading such a file takes a tenth
 * of the start time of a command. A file in {@code -Dlogback.configurationFile}, and the {@code
 * logback-test.xml} of tests, replace this set-up. Found by Logback as a service.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
  /** System property: the least important level that is written, {@code INFO} if not set. */
  public static final String LEVEL = "carillon.log.level";

  /** System property: {@code json}, or text if not set. */
  public static final String FORMAT = "carillon.log.format";

  private static final String TEXT =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} %-5level %-20logger{0}"
          + " %replace(%msg){'[\\r\\n]', ' '} %replace(%kvp{DOUBLE}){'[\\r\\n]', ' '}%n%ex{full}";

  /**
   * Levels of libraries. They report faults of remote peers without naming the connection, so those
   * messages are off.
   */
  private static final Map<String, Level> LIBRARIES =
      Map.of(
          "io.netty", Level.WARN,
          "io.vertx", Level.WARN,
          "io.vertx.core.net.impl.ConnectionBase", Level.OFF,
          "io.vertx.redis.client.impl.RedisConnectionManager", Level.OFF,
          "io.vertx.core.http.impl.HttpClientConnectionInternal", Level.ERROR,
          "io.netty.handler.ssl.SslHandler", Level.ERROR);

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty("logback.configurationFile") != null
        || Loader.getResource("logback-test.xml", LogSetup.class.getClassLoader()) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    setUp(
        context,
        Level.toLevel(System.getProperty(LEVEL), Level.INFO),
        "json".equals(System.getProperty(FORMAT)));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Sets logging up. */
  static void setUp(LoggerContext context, Level level, boolean isJson) {
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setEncoder(isJson ? json(context) : text(context));
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(level);
    root.addAppender(appender);
    LIBRARIES.forEach((name, least) -> context.getLogger(name).setLevel(least));
  }

  /**
   * Runs code without any log, regardless of its outcome.
   *
   * @throws Exception exception of {@code quiet}
   */
  public static <T> T silently(Callable<T> quiet) throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    TurboFilter silence =
        new TurboFilter() {
          @Override
          public FilterReply decide(
              Marker marker,
              Logger logger,
              Level level,
              String format,
              Object[] parameters,
              Throwable failure) {
            return FilterReply.DENY;
          }
        };
    context.addTurboFilter(silence);
    try {
      return quiet.call();
    } finally {
      context.getTurboFilterList().remove(silence);
    }
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
    JsonLogEncoder json = new JsonLogEncoder();
    json.setContext(context);
    json.start();
    return json;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    PatternLayoutEncoder text = new PatternLayoutEncoder();
    text.setContext(context);
    text.setPattern(TEXT);
    text.start();
    return text;
  }
}
