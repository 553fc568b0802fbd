package carillon.support;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Receiver of traces over OTLP/HTTP, as opentelemetry-proto defines them (trace.proto,
 * common.proto).
 */
public final class Collector implements AutoCloseable {
  private final HttpServer server;
  private final List<Traced> spans = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final List<String> raw = new CopyOnWriteArrayList<>();

  /** A received span. */
  public record Traced(
      String name,
      String trace,
      String id,
      String parent,
      long kind,
      long start,
      long end,
      long status,
      Map<String, String> attributes,
      Map<String, String> resource) {}

  public Collector() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/v1/traces",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
          raw.add(new String(body, java.nio.charset.StandardCharsets.ISO_8859_1));
          read(Protobuf.of(body));
          exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  private void read(Protobuf request) {
    for (Protobuf resourceSpans : request.messages(1)) {
      Map<String, String> resource = attributes(resourceSpans.messages(1).get(0), 1);
      for (Protobuf scope : resourceSpans.messages(2)) {
        scope.messages(2).forEach(span -> spans.add(span(span, resource)));
      }
    }
  }

  private static Traced span(Protobuf span, Map<String, String> resource) {
    HexFormat hex = HexFormat.of();
    return new Traced(
        span.text(5),
        hex.formatHex(span.bytes(1)),
        hex.formatHex(span.bytes(2)),
        hex.formatHex(span.bytes(4)),
        span.number(6),
        span.number(7),
        span.number(8),
        span.messages(15).stream().mapToLong(status -> status.number(3)).findFirst().orElse(0),
        attributes(span, 9),
        resource);
  }

  private static Map<String, String> attributes(Protobuf owner, int field) {
    Map<String, String> attributes = new TreeMap<>();
    for (Protobuf attribute : owner.messages(field)) {
      Protobuf value = attribute.messages(2).get(0);
      attributes.put(
          attribute.text(1), value.has(1) ? value.text(1) : Long.toString(value.number(3)));
    }
    return attributes;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  /** Returns the spans with this name so far, ordered by their start. */
  public List<Traced> named(String name) {
    return spans.stream()
        .filter(span -> span.name().equals(name))
        .sorted(java.util.Comparator.comparingLong(Traced::start))
        .toList();
  }

  /** Returns the header X-Key of each request. */
  public List<String> keys() {
    return keys;
  }

  /** Returns all received bytes, as ISO 8859-1. */
  public String raw() {
    return String.join("", raw);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
