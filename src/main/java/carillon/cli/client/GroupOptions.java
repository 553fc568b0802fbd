package carillon.cli.client;

import carillon.cli.client.Contexts.Server;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Options of a command about collections: the node, and the group whose collections are meant. */
public final class GroupOptions extends ApiClientOptions {
  private static final String DEFAULT = "default";

  @Option(
      names = "--subscription",
      paramLabel = "NAME",
      description =
          "The subscription of the collections. Default: CARILLON_SUBSCRIPTION, else default.")
  private String subscription;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description =
          "The group in the subscription: resource group or cloud service. Default:"
              + " CARILLON_GROUP, else default.")
  private String group;

  /** Returns a client of the node for resources without a group. */
  public ApiClient wholeNode() {
    return super.node();
  }

  /** Returns the path of the group on the command line; empty if there is none. */
  public Optional<String> typedGroup() {
    return typed(GroupOptions.class, options -> options.group)
        .map(
            typed ->
                JobAddress.groupPath(
                    name(
                        "--subscription",
                        options -> options.subscription,
                        Server::subscription,
                        "CARILLON_SUBSCRIPTION"),
                    JobAddress.checked("--group", typed)));
  }

  /** A client of the node for this group. */
  @Override
  public ApiClient node() {
    ApiClient node = super.node();
    String subscriptionName =
        name(
            "--subscription",
            options -> options.subscription,
            Server::subscription,
            "CARILLON_SUBSCRIPTION");
    String groupName = name("--group", options -> options.group, Server::group, "CARILLON_GROUP");
    return subscriptionName.equals(DEFAULT) && groupName.equals(DEFAULT)
        ? node
        : node.in(JobAddress.groupPath(subscriptionName, groupName));
  }

  @Override
  public Server given() {
    Server server = super.given();
    return new Server(
        server.url(),
        server.key(),
        server.ca(),
        typed(GroupOptions.class, options -> options.subscription)
            .map(name -> JobAddress.checked("--subscription", name)),
        typed(GroupOptions.class, options -> options.group)
            .map(name -> JobAddress.checked("--group", name)));
  }

  private String name(
      String option,
      Function<GroupOptions, String> typed,
      Function<Server, Optional<String>> field,
      String variable) {
    return JobAddress.checked(
        option,
        typed(GroupOptions.class, typed)
            .or(() -> setting(field, () -> variable(variable)))
            .orElse(DEFAULT));
  }
}
