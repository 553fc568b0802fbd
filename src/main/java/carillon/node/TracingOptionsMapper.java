package carillon.node;

import carillon.config.TracingSettings;
import carillon.observe.tracing.Tracing;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Traces as they are asked for. */
final class TracingOptionsMapper {
  private TracingOptionsMapper() {}

  /** Nothing of the library is even loaded where nothing is traced. */
  static Optional<Tracing> of(TracingSettings settings, String node, InstantSource clock) {
    if (!settings.isOn()) {
      return Optional.empty();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String header : settings.headers()) {
      int equals = header.indexOf('=');
      headers.put(header.substring(0, equals), header.substring(equals + 1));
    }
    return Optional.of(
        new Tracing(
            new Tracing.Config(
                URI.create(settings.endpoint()),
                headers,
                settings.oneIn(),
                settings.timeout(),
                node,
                Version.current()),
            clock));
  }
}
