package carillon.cli.local;

import carillon.cli.client.ApiClientOptions;
import carillon.config.Settings;
import carillon.config.SettingsLoader;
import carillon.observe.LogSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Command that uses the settings of a node. */
public abstract class SettingsCommand implements Callable<Integer> {
  /** Program with options before the name of a command. */
  public interface Parent {
    /** Returns the configuration file that these options name. */
    ConfigFile conf();
  }

  /** Exit code of the commands that ask Redis. */
  static final int NO_REDIS = 3;

  @ParentCommand private Parent main;
  @Mixin private ConfigFile conf;

  /** The settings of the file given to this command or to the program, and of the environment. */
  final Settings settings() {
    return settings(Map.of());
  }

  /** Returns the settings; these variables take precedence over the environment. */
  final Settings settings(Map<String, String> variables) {
    return conf.settings(main.conf(), variables);
  }

  /**
   * Turns the log off, because standard output is for the findings. Must be called before the first
   * logger is made.
   */
  static void silenceLog() {
    System.setProperty(LogSetup.LEVEL, "OFF");
  }

  /** Says that Redis cannot be asked, and why. */
  static int noRedis(String reason) {
    System.err.println("carillon: " + reason);
    return NO_REDIS;
  }

  /** Option that names the settings of a node. */
  public static final class ConfigFile {
    @Option(names = "--conf", paramLabel = "FILE", description = "A file with settings.")
    private String file;

    /**
     * Returns the settings of a file, of this command or of the program, and of the environment.
     *
     * @param variables variables that take precedence over the environment
     */
    public Settings settings(ConfigFile otherwise, Map<String, String> variables) {
      String conf = file == null ? otherwise.file : file;
      return SettingsLoader.load(
          Optional.ofNullable(conf).map(name -> List.of("--conf", name)).orElse(List.of()),
          environment(variables));
    }

    public boolean isGiven() {
      return file != null;
    }

    /** Returns the environment without the variables of commands, which are no settings. */
    private static Map<String, String> environment(Map<String, String> variables) {
      Map<String, String> environment = new HashMap<>(System.getenv());
      environment.putAll(variables);
      environment.keySet().removeAll(ApiClientOptions.VARIABLES);
      return environment;
    }
  }
}
