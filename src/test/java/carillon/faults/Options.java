package carillon.faults;

import java.util.List;
import java.util.stream.Stream;

/**
 * What is run.
 *
 * @param form the whole suite, its short form, or the planted bugs alone
 * @param scenarios the only ones, if some are named
 * @param keep whether journals and logs are kept
 */
record Options(Form form, List<String> scenarios, boolean keep) {
  Options {
    scenarios = List.copyOf(scenarios);
  }

  /** Which scenarios. */
  enum Form {
    FULL,
    SHORT,
    PLANTED,
    LIST,
    HELP
  }

  private static final String SCENARIO = "--scenario";

  static final String USAGE =
      """
      Breaks a running Carillon - three nodes, Redis, a target, a client, all of them processes on this machine - and
      judges it by what the target and the client saw. Needs target/carillon.jar (mvn package).

        --short          the most telling faults in two or three minutes, and three planted bugs
        --planted        the planted bugs alone: the checker must find each
        --scenario NAME  one scenario, or several with commas between them
        --list           the scenarios and what they do
        --keep           keep the journals and the logs of the nodes, and say where
        --help           this text

      Without an option: every scenario, some 20 minutes. The table is also written to target/faults.md. What needs a program that the machine lacks is skipped, with a word.
      Exit code: 0 all bars are held, 1 one is missed or a planted bug was not found, 2 wrong usage.""";

  /**
   * Reads arguments.
   *
   * @throws IllegalArgumentException with one clear line
   */
  static Options parse(List<String> arguments) {
    Form form = Form.FULL;
    List<String> scenarios = List.of();
    boolean keep = false;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.startsWith(SCENARIO + "=")) {
        scenarios = names(argument.substring(SCENARIO.length() + 1));
        continue;
      }
      switch (argument) {
        case "--short" -> form = Form.SHORT;
        case "--planted" -> form = Form.PLANTED;
        case "--list" -> form = Form.LIST;
        case "--help" -> form = Form.HELP;
        case "--keep" -> keep = true;
        case SCENARIO -> {
          if (++i == arguments.size()) {
            throw new IllegalArgumentException("--scenario needs a name (see --list)");
          }
          scenarios = names(arguments.get(i));
        }
        default ->
            throw new IllegalArgumentException("unknown option " + argument + " (see --help)");
      }
    }
    return new Options(form, scenarios, keep);
  }

  private static List<String> names(String list) {
    return Stream.of(list.split(",", -1)).toList();
  }
}
