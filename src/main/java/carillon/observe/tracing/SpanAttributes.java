package carillon.observe.tracing;

import io.opentelemetry.api.common.AttributeKey;

/** The attributes of spans: those of OpenTelemetry where it has one, ours where it has not. */
final class SpanAttributes {
  static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
  static final AttributeKey<String> HOST = AttributeKey.stringKey("server.address");
  static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
  static final AttributeKey<String> DIALECT = AttributeKey.stringKey("carillon.dialect");
  static final AttributeKey<String> JOB = AttributeKey.stringKey("carillon.job");
  static final AttributeKey<String> EXECUTION = AttributeKey.stringKey("carillon.execution");
  static final AttributeKey<Long> OCCURRENCE = AttributeKey.longKey("carillon.occurrence");
  static final AttributeKey<String> ACTION = AttributeKey.stringKey("carillon.action");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("carillon.attempt");
  static final AttributeKey<Long> LATENESS = AttributeKey.longKey("carillon.lateness_ms");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("carillon.outcome");

  private SpanAttributes() {}
}
