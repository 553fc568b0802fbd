package carillon.job.action;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SensitiveNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization",
        "proxy-authorization",
        "X-Amzn-Authorization",
        "COOKIE",
        "api-key",
        "X-API-Key",
        "Apikey",
        "x-functions-key",
        "Ocp-Apim-Subscription-Key",
        "X-Key-2",
        "key",
        "PRIVATE-TOKEN",
        "X-Access-Token-V2",
        "accessToken",
        "client_secret",
        "X-Secret-Id",
        "Password1",
        "X-Auth",
        "X-Credentials",
        "X-Hub-Signature-256",
        "sig",
        "pwd",
        "jwt",
        "X-Tokens",
        "accessTokens",
        "token[]",
        "X-Keys",
        "X-Apikeys",
        "APIKEY1",
        "token2",
        "X-Authentication",
        "X-Bearer",
        "X-Session-Id",
        "sessionId",
        "session_id",
        "JSESSIONID",
        "PHPSESSID"
      })
  void theValueIsASecret(String name) {
    assertTrue(SensitiveNames.isHeader(name));
    assertTrue(SensitiveNames.isParameter(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "Content-Type",
        "Accept",
        "User-Agent",
        "Date",
        "traceparent",
        "X-Max-Tokens",
        "X-Author",
        "X-Keyboard",
        "keyword",
        "X-Partition-Key",
        "partitionKey",
        "Cache.Key",
        "Surrogate-Key",
        "X-Design",
        "X-Passenger",
        "X-Path",
        "X-Sign",
        "Content-Length",
        "X-Request-Id",
        "X-Correlation-Id",
        "Idempotency-Key",
        "max_tokens",
        "maxTokens",
        "X-RateLimit-Remaining-Tokens",
        "anthropic-ratelimit-tokens-limit",
        "max-keys",
        "partition-key-2",
        "partitionKeys",
        "sortKey1",
        "X-B3-TraceId",
        "session",
        "page2",
        "2",
        "id[]",
        "X-Authenticated"
      })
  void theValueIsNone(String name) {
    assertFalse(SensitiveNames.isHeader(name));
    assertFalse(SensitiveNames.isParameter(name));
  }

  @Test
  void aCodeIsASecretInAQueryOnly() {
    assertTrue(SensitiveNames.isParameter("code"));
    assertFalse(SensitiveNames.isHeader("Code"));
    assertFalse(SensitiveNames.isParameter("barcode"));
  }
}
