package carillon.cli.local;

import carillon.config.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** A command that goes by the settings of a node. */
public abstract class SettingsCommand implements Callable<Integer> {
  /** The program itself, whose options stand before the name of a command. */
  public interface Parent {
    /** The file that is given there. */
    ConfigFileOption conf();
  }

  /** Exit code of the commands that ask Redis. */
  static final int NO_REDIS = 3;

  @ParentCommand private Parent main;
  @Mixin private ConfigFileOption conf;

  /** Those of the file that this command or the program is given, and of the environment. */
  final Settings settings() {
    return conf.settings(main.conf());
  }

  /** Standard output is for the findings. To be called before the first logger is made. */
  static void silenceLog() {
    System.setProperty("carillon.log.level", "OFF");
  }

  /** Says that Redis cannot be asked, and why. */
  static int noRedis(String reason) {
    System.err.println("carillon: " + reason);
    return NO_REDIS;
  }
}
