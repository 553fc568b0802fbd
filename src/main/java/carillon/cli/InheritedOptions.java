package carillon.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Options that may stand after the name of a command, or before it, after that of its parent. */
final class InheritedOptions {
  private InheritedOptions() {}

  /**
   * What was typed at each level of the command, the nearest first.
   *
   * @param options the mixin that holds them
   */
  static <T> List<T> of(CommandSpec command, Class<T> options) {
    List<T> levels = new ArrayList<>();
    for (CommandSpec level = command; level != null; level = level.parent()) {
      level.mixins().values().stream()
          .map(CommandSpec::userObject)
          .filter(options::isInstance)
          .map(options::cast)
          .forEach(levels::add);
    }
    return levels;
  }
}
