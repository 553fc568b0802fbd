package carillon.cli.local;

import carillon.cli.ApiClientOptions;
import carillon.config.Settings;
import carillon.config.SettingsLoader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the settings of a node are, for the commands that are one or work on its data. */
public final class ConfigFileOption {
  @Option(names = "--conf", paramLabel = "FILE", description = "A file with settings.")
  private String file;

  /** The settings of a file, of this command or of the program, and of the environment. */
  public Settings settings(ConfigFileOption otherwise) {
    String conf = file == null ? otherwise.file : file;
    return SettingsLoader.load(
        Optional.ofNullable(conf).map(name -> List.of("--conf", name)).orElse(List.of()),
        environment());
  }

  public boolean isGiven() {
    return file != null;
  }

  /** Without the variables of commands, which are no settings. */
  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.keySet().removeAll(ApiClientOptions.VARIABLES);
    return environment;
  }
}
