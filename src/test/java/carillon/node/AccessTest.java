package carillon.node;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.config.Settings;
import carillon.config.SettingsException;
import carillon.config.TestSettings;
import carillon.secret.SecretException;
import carillon.support.Await;
import carillon.support.LogCapture;
import carillon.support.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of access, from the settings to the answer. */
@Tag("redis")
class AccessTest {
  private static final Pattern LISTENING = Pattern.compile("listening on http://\\S+:(\\d+)");

  @TempDir Path dir;

  @BeforeEach
  void empty() {
    RedisServer.shared().flush();
  }

  private Settings settings(String... settings) {
    Settings node = TestSettings.with("http.port=0", "partitions=4", "data.dir=" + dir);
    return TestSettings.with(node, settings);
  }

  private static Node start(Settings settings) {
    return Await.result(Node.start(settings, List.of(RedisServer.shared().uri()), false));
  }

  private static String failure(Settings settings) {
    RuntimeException failure = assertThrows(RuntimeException.class, () -> start(settings));
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return ServeProcess.errorText(cause, settings);
  }

  private static int status(LogCapture logs, String... headers) {
    try {
      Matcher port =
          logs.lines().stream()
              .map(LISTENING::matcher)
              .filter(Matcher::find)
              .findFirst()
              .orElseThrow();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
              URI.create("http://127.0.0.1:" + port.group(1) + "/jobcollections"));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return HttpClient.newHttpClient()
          .send(request.build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aNodeThatOthersCanReachIsRefusedWithoutAccess() {
    String said = failure(settings("http.host=0.0.0.0"));

    assertTrue(said.contains("http.host 0.0.0.0") && said.contains("access.accept"), said);
    assertTrue(said.contains("access.unprotected"), said);
  }

  @Test
  void anUnprotectedNodeServesEverybody() {
    try (LogCapture logs = new LogCapture()) {
      Node app = start(settings("http.host=0.0.0.0", "access.unprotected=true"));

      assertEquals(200, status(logs));
      Await.result(app.stop());
    }
  }

  private static boolean serves(Settings settings, String name) {
    return ApiDeployment.names(settings).contains(name);
  }

  @Test
  void whereNobodyProvesWhoTheyAreOnlyKnownHostNamesAreServed() {
    Settings open = settings("http.names=jobs.example,x.example", "http.host=myhost");

    assertTrue(serves(open, "localhost"));
    assertTrue(serves(open, "X.example"));
    assertTrue(serves(open, "myhost"));
    assertFalse(serves(open, "evil.example"));
    assertTrue(serves(settings("access.accept=keys"), "evil.example"));
    assertTrue(serves(settings("access.unprotected=true"), "evil.example"));
    assertThrows(SettingsException.class, () -> settings("http.names=a.example:80"));
  }

  @Test
  void onlyOriginsAsBrowsersSendThemAreTakenAndAllOnlyWithCredentials() {
    assertEquals(
        List.of("https://app.example.org", "http://localhost:3000"),
        settings("http.corsOrigins=https://app.example.org,http://localhost:3000")
            .http()
            .corsOrigins());
    assertEquals(
        List.of("*"), settings("http.corsOrigins=*", "access.accept=keys").http().corsOrigins());
    for (String wrong :
        List.of(
            "app.example.org",
            "https://App.example.org",
            "https://app.example.org/",
            "https://app.example.org:443",
            "http://app.example.org:80",
            "null",
            "*")) {
      SettingsException refusal =
          assertThrows(SettingsException.class, () -> settings("http.corsOrigins=" + wrong));
      assertTrue(refusal.getMessage().contains("http.corsOrigins"), refusal.getMessage());
    }
  }

  @Test
  void aRequestToAnUnknownHostNameIsAnswered421() throws IOException {
    try (LogCapture logs = new LogCapture()) {
      Node app = start(settings());

      assertEquals(200, status(logs));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), app.port())) {
        socket
            .getOutputStream()
            .write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".getBytes(US_ASCII));
        assertEquals("HTTP/1.1 421", new String(socket.getInputStream().readNBytes(12), US_ASCII));
      }
      Await.result(app.stop());
    }
  }

  @Test
  void aStartIsRefusedWhereKeysAreAcceptedAndThereIsNone() throws IOException {
    assertTrue(failure(settings("access.accept=keys")).contains("access.adminKeyFile"));

    Path file = dir.resolve("key");
    String key = ApiKeyToken.random().reveal();
    Files.writeString(file, " " + key + "\n");
    try (LogCapture logs = new LogCapture()) {
      Node app =
          start(settings("http.host=0.0.0.0", "access.accept=keys", "access.adminKeyFile=" + file));

      assertEquals(401, status(logs));
      assertEquals(200, status(logs, "Authorization", "Bearer " + key));
      assertFalse(logs.lines().toString().contains(key.substring(16)));
      Await.result(app.stop());
    }
  }

  private static List<ApiKey> operator(Settings settings) {
    return NodeKeys.of(settings, true).operator();
  }

  @Test
  void theFirstStartMakesAKeyThatOnlyItsOwnerCanRead() throws IOException {
    List<ApiKey> made = operator(settings("access.accept=keys"));
    Path file = dir.resolve("admin.key");

    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(made, operator(settings("access.accept=keys")));
    assertTrue(
        ApiKeyToken.parse(Files.readString(file).strip()).orElseThrow().has(made.get(0).hash()));
    assertEquals(List.of(), operator(settings()));
  }

  @Test
  void aMalformedKeyIsRefusedWithoutBeingShown() throws IOException {
    Path file = Files.writeString(dir.resolve("key"), "hunter2");

    for (Settings wrong :
        List.of(
            settings("access.accept=keys", "access.adminKeyFile=" + file),
            settings("access.accept=keys", "access.adminKey=hunter2"),
            settings("access.accept=keys", "access.adminKey=ck_a_" + "ab".repeat(20)))) {
      String said =
          assertThrows(SecretException.class, () -> NodeKeys.of(wrong, false)).getMessage();
      assertFalse(said.contains("hunter2") || said.contains("abab"), said);
    }
    SettingsException both =
        assertThrows(
            SettingsException.class,
            () -> settings("access.adminKey=hunter2", "access.unprotected=true"));
    assertFalse(both.getMessage().contains("hunter2"));
  }
}
