package carillon.cli.local;

import carillon.config.Settings;
import carillon.node.HeapPressure;
import carillon.node.ServeProcess;
import carillon.observe.LogSetup;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code serve}: runs a node. */
@Command(name = "serve", description = "Runs a node; the default without a command.")
public final class ServeCommand extends SettingsCommand {
  /** Exit code of a command that continues after its return: the program must not exit. */
  public static final int RUNNING = -1;

  @Mixin private ListenOptions listen;

  @Option(
      names = "--virtual-time",
      arity = "0..1",
      fallbackValue = "now",
      paramLabel = "TIME",
      description = {
        "Simulates time from TIME on (default: now). It passes only by POST /clock/advance.",
        "For tests; needs an empty data.dir. The same as clock.virtual."
      })
  private String virtualTime;

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> variables = listen.variables();
    if (virtualTime != null) {
      variables.put("CARILLON_CLOCK_VIRTUAL", virtualTime);
    }
    return serve(settings(variables));
  }

  public static int serve(Settings settings) throws InterruptedException {
    // Read when the first logger is made, which is after this.
    System.setProperty(LogSetup.LEVEL, settings.log().level().name());
    System.setProperty(LogSetup.FORMAT, settings.log().format().name().toLowerCase(Locale.ROOT));
    HeapPressure.start();
    new ServeProcess(settings).start();
    return RUNNING;
  }

  /** Options for the address and the data of a node. They replace the settings. */
  public static final class ListenOptions {
    @Option(
        names = "--port",
        paramLabel = "PORT",
        description = "Port of the API; the same as http.port.")
    private String port;

    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Directory of the data; the same as data.dir.")
    private String data;

    public boolean isGiven() {
      return port != null || data != null;
    }

    /**
     * Returns the given options as variables of the settings, in a map that the caller may change.
     */
    public Map<String, String> variables() {
      Map<String, String> variables = new HashMap<>();
      if (port != null) {
        variables.put("CARILLON_HTTP_PORT", port);
      }
      if (data != null) {
        variables.put("CARILLON_DATA_DIR", data);
      }
      return variables;
    }
  }
}
