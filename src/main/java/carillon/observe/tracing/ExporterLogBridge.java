package carillon.observe.tracing;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/** What the library complains of, a collector that is away above all, is told in the log. */
final class ExporterLogBridge extends Handler {
  private static final Logger LIBRARY =
      Logger.getLogger("io.opentelemetry"); // else it may be collected
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(Tracing.class);

  private ExporterLogBridge() {}

  /** Instead of standard error; once for a program. */
  static synchronized void toLog() {
    if (LIBRARY.getUseParentHandlers()) {
      LIBRARY.setUseParentHandlers(false);
      LIBRARY.addHandler(new ExporterLogBridge());
    }
  }

  @Override
  public void publish(LogRecord complaint) {
    if (complaint.getLevel().intValue() >= Level.WARNING.intValue()) {
      LOG.atWarn()
          .addKeyValue("error", complaint.getMessage())
          .log("traces cannot be sent, they are dropped");
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
