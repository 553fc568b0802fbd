package carillon;

import carillon.config.Settings;
import java.util.Locale;
import picocli.CommandLine.Command;

/** Runs a node. */
@Command(name = "serve", description = "Runs a node: what happens without a command.")
final class ServeCommand extends SettingsCommand {
  /** Returned by a command that goes on after it has returned. */
  static final int RUNNING = -1;

  @Override
  public Integer call() throws InterruptedException {
    return serve(settings());
  }

  static int serve(Settings settings) throws InterruptedException {
    // Read by logback.xml when the first logger is made, which is after this.
    System.setProperty("carillon.log.level", settings.log().level().name());
    System.setProperty(
        "carillon.log.format", settings.log().format().name().toLowerCase(Locale.ROOT));
    HeapWatch.start();
    new Server(settings).start();
    return RUNNING;
  }
}
