package carillon;

import carillon.config.Settings;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Runs a node. */
@Command(name = "serve", description = "Runs a node: what happens without a command.")
final class ServeCommand implements Callable<Integer> {
  @ParentCommand private Main main;
  @Mixin private ConfOption conf;

  @Override
  public Integer call() throws InterruptedException {
    return serve(conf.settings(main.conf()));
  }

  static int serve(Settings settings) throws InterruptedException {
    // Read by logback.xml when the first logger is made, which is after this.
    System.setProperty("carillon.log.level", settings.log().level().name());
    System.setProperty(
        "carillon.log.format", settings.log().format().name().toLowerCase(Locale.ROOT));
    new Server(settings).start();
    return Main.RUNNING;
  }
}
