package carillon.cli.local;

import carillon.config.Settings;
import carillon.node.HeapPressure;
import carillon.node.ServeProcess;
import java.util.Locale;
import picocli.CommandLine.Command;

/** Command {@code serve}: runs a node. */
@Command(name = "serve", description = "Runs a node: what happens without a command.")
public final class ServeCommand extends SettingsCommand {
  /** Exit code of a command that goes on after it has returned: the program must not exit. */
  public static final int RUNNING = -1;

  @Override
  public Integer call() throws InterruptedException {
    return serve(settings());
  }

  public static int serve(Settings settings) throws InterruptedException {
    // Read by logback.xml when the first logger is made, which is after this.
    System.setProperty("carillon.log.level", settings.log().level().name());
    System.setProperty(
        "carillon.log.format", settings.log().format().name().toLowerCase(Locale.ROOT));
    HeapPressure.start();
    new ServeProcess(settings).start();
    return RUNNING;
  }
}
