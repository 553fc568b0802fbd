package carillon.cli;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Mixin;

/** Command about one named resource of a group: a collection, a flow or a calendar. */
abstract class ResourceCommand implements Runnable {
  private static final int NOT_THERE = 204;

  @Mixin private GroupOptions options;
  @Mixin private Output output;

  private final String kind;
  private final String list;

  /**
   * Creates a command.
   *
   * @param kind one word for the kind of resource
   * @param list path of the list of this kind
   */
  ResourceCommand(String kind, String list) {
    this.kind = kind;
    this.list = list;
  }

  /** The name of the resource. */
  abstract String name();

  final Output output() {
    return output;
  }

  final ApiClient node() {
    return options.node();
  }

  /**
   * Returns the answer of the node with any status. Fails if the resource is missing and there is
   * one with a similar name, which may be meant.
   *
   * @param operation suffix of the resource's path
   */
  final ApiReply reply(String method, String operation, byte[] body, String... headers) {
    String path = JobAddress.pathOf(list, JobAddress.checked("a " + kind, name()));
    ApiClient node = node();
    ApiReply reply = node.ask(method, path + operation, body, headers);
    return node.proposeNearest(reply, list, name());
  }

  /** Returns the answer of the node; fails when it refuses. */
  final ApiReply ask(String method, String operation, byte[] body) {
    return reply(method, operation, body).orFail();
  }

  final ApiReply ask(String method, String operation) {
    return ask(method, operation, new byte[0]);
  }

  /** Shows the document of the resource. */
  final void showDocument(JsonNode document) {
    if (!output.document(document, name())) {
      output.line(Json.pretty(document));
    }
  }

  /** Prints the result. */
  final void said(String outcome, String more) {
    ObjectNode resource = Json.MAPPER.createObjectNode().put(kind, name());
    output.done(resource, name(), outcome, more);
  }

  final void said(String outcome) {
    said(outcome, "");
  }

  /** Says that the resource has been deleted, or was not there. */
  final void saidDeleted(ApiReply reply) {
    said(reply.status() == NOT_THERE ? "was not there" : "deleted");
  }
}
