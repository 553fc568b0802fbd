package carillon.cli;

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
   * A command.
   *
   * @param kind of resource, in a word
   * @param list path of those of this kind
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
   * Returns the answer of the node with any status. Fails if there is no resource of this name but
   * a near one, which may be meant.
   *
   * @param operation what follows the path of the resource
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

  /** Says what has been done. */
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
