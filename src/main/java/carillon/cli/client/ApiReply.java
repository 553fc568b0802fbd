package carillon.cli.client;

import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.Optional;

/**
 * Reply of a node to a request.
 *
 * @param etag the revision in quotes; empty if there is none
 * @param warning about a success that is perhaps unintended; empty if there is none
 * @param retryAfterSeconds time to wait before the next try; 0 if unknown
 */
public record ApiReply(
    int status, String body, String etag, String warning, int retryAfterSeconds) {
  private static final JsonNode NONE = MissingNode.getInstance();
  private static final int CREATED = 201;
  private static final int UNAUTHENTICATED = 401;
  private static final int UNAVAILABLE = 503;
  private static final int TOO_MANY = 429;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  public boolean isSuccess() {
    return status / 100 == 2;
  }

  /** Returns the outcome of a PUT, in a word. */
  public String written() {
    return status == CREATED ? "created" : "replaced";
  }

  /** True if the same request may succeed later. */
  public boolean isPassing() {
    return status == TOO_MANY || isAway();
  }

  private boolean isAway() {
    return status == UNAVAILABLE || status == BAD_GATEWAY || status == GATEWAY_TIMEOUT;
  }

  /** The document; missing if there is none. */
  public JsonNode json() {
    if (body.isEmpty()) {
      return MissingNode.getInstance();
    }
    return Json.read(body);
  }

  /**
   * Returns the message of a refusal, with status and code. Each further reason has a separate
   * line.
   */
  public String refusal() {
    Optional<JsonNode> error = error();
    String code = error.map(node -> " " + node.path("code").asText()).orElse("");
    String message = error.map(node -> node.path("message").asText()).orElse("refused");
    StringBuilder text = new StringBuilder(message + " (" + status + code + ")");
    for (JsonNode detail : error.map(node -> node.path("details")).orElse(NONE)) {
      String more = detail.path("message").asText();
      if (!more.equals(message)) {
        text.append(System.lineSeparator()).append("  ").append(more);
      }
    }
    return text.toString();
  }

  private String hinted() {
    return status == UNAUTHENTICATED
        ? refusal()
            + "; give an API key with --key-file, CARILLON_KEY_FILE or CARILLON_KEY: the first one is in"
            + " data/admin.key"
        : refusal();
  }

  private Optional<JsonNode> error() {
    try {
      JsonNode error = Json.MAPPER.readTree(body).path("error");
      return error.path("message").isTextual() ? Optional.of(error) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // an answer of a proxy may not be JSON
    }
  }

  /** Returns this reply if it is a success; fails otherwise. */
  public ApiReply orFail() {
    if (isSuccess()) {
      return this;
    }
    throw isAway() ? CommandException.unreachable(refusal()) : CommandException.refused(hinted());
  }
}
