package carillon.cli;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Whose collections a command means. */
final class GroupOptions {
  private static final String DEFAULT = "default";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--subscription",
      paramLabel = "NAME",
      description =
          "The subscription whose collections are meant. Default: CARILLON_SUBSCRIPTION, else"
              + " default.")
  private String subscription;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description =
          "The resource group of it, or cloud service. Default: CARILLON_GROUP, else default.")
  private String group;

  /** The node, as far as this group goes. */
  ApiClient of(ApiClient node) {
    String subscriptionName =
        name("--subscription", options -> options.subscription, "CARILLON_SUBSCRIPTION");
    String groupName = name("--group", options -> options.group, "CARILLON_GROUP");
    return subscriptionName.equals(DEFAULT) && groupName.equals(DEFAULT)
        ? node
        : node.in(JobAddress.groupPath(subscriptionName, groupName));
  }

  private String name(String option, Function<GroupOptions, String> typed, String variable) {
    String name =
        InheritedOptions.of(command, GroupOptions.class).stream()
            .map(typed)
            .filter(Objects::nonNull)
            .findFirst()
            .or(() -> Optional.ofNullable(System.getenv(variable)).filter(set -> !set.isEmpty()))
            .orElse(DEFAULT);
    if (!JobAddress.isName(name)) {
      throw CommandException.usage(
          option + " must be letters, digits, '.', '_' and '-', was '" + name + "'");
    }
    return name;
  }
}
