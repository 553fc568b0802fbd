package carillon.api.admin;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.QueryParameters;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.store.node.NodeRecord;
import carillon.store.node.NodeStore;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Handler of {@code GET /nodes}: the nodes that share this Redis. Any of them answers for all. */
public final class NodeRoutes {
  private final NodeStore store;

  public NodeRoutes(NodeStore store) {
    this.store = store;
  }

  public Future<ApiResponse> list(ApiRequest request) {
    QueryParameters query = request.query();
    return store
        .members(query.after(), query.skip(), query.top())
        .map(
            page ->
                ApiResponse.json(
                    200,
                    JsonOut.of(
                        json ->
                            write(
                                json,
                                page.members(),
                                page.after().map(request::nextLink),
                                request.now()))));
  }

  private static void write(
      JsonGenerator json, List<NodeStore.Member> members, Optional<String> nextLink, Instant now)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("value");
    for (NodeStore.Member member : members) {
      write(json, member, now);
    }
    json.writeEndArray();
    json.writeStringField("nextLink", nextLink.orElse(null));
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, NodeStore.Member member, Instant now)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", member.id());
    json.writeStringField("state", member.state(now).word());
    json.writeStringField("lastBeat", Timestamps.format(Instant.ofEpochMilli(member.beat())));
    if (member.record().isPresent()) {
      writeRecord(json, member.record().get());
    }
    json.writeEndObject();
  }

  private static void writeRecord(JsonGenerator json, NodeRecord record) throws IOException {
    JsonOut.writeTexts(json, "roles", record.roles());
    json.writeStringField("version", record.version());
    if (!record.tzdata().isEmpty()) {
      json.writeStringField("tzdata", record.tzdata());
    }
    json.writeStringField("started", Timestamps.format(record.started()));
    json.writeArrayFieldStart("partitionsByRank");
    for (int partitions : record.ranks()) {
      json.writeNumber(partitions);
    }
    json.writeEndArray();
    json.writeNumberField("inFlight", record.inFlight());
    json.writeNumberField("takenOver", record.takenOver());
  }
}
