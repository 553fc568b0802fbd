package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of answers over TLS that end with the connection. */
class TlsEndsTest extends TlsTargetFixture {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nConnection: close\r\n";

  /** Released when a target may close the TCP connection. */
  private final CountDownLatch answered = new CountDownLatch(1);

  /** Closes the connection of a target. */
  private interface Ending {
    void end(SSLSocket tls, Socket tcp) throws IOException, InterruptedException;
  }

  /** Listens for one connection, with TLS on top of a socket that can be closed separately. */
  private String target(String protocol, String answer, Ending ending)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    char[] password = server.password().toCharArray();
    try (InputStream in = new FileInputStream(server.pfx().toFile())) {
      keys.load(in, password);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    java.net.ServerSocket listener =
        new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread thread =
        new Thread(
            () -> {
              try (listener;
                  Socket tcp = listener.accept()) {
                SSLSocket tls =
                    (SSLSocket) context.getSocketFactory().createSocket(tcp, null, false);
                tls.setUseClientMode(false);
                tls.setEnabledProtocols(new String[] {protocol});
                tls.getInputStream().readNBytes(100);
                tls.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                tls.getOutputStream().flush();
                ending.end(tls, tcp);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return "https://localhost:" + listener.getLocalPort() + "/";
  }

  private AttemptResult call(String uri) {
    return caller.make(Caller.call(uri, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void anAnswerCutWithoutCloseNotifyIsIncomplete(String protocol) throws Exception {
    AttemptResult result =
        call(target(protocol, HEAD + "\r\nhalf of it", (tls, tcp) -> tcp.close()));

    assertEquals(
        new CallError(
            ErrorKind.ANSWER,
            "the answer is not valid HTTP:"
                + " it ends with the TLS connection, which was cut without close_notify"),
        result.call().error().orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.2, Content-Length: 5", "TLSv1.3, Content-Length: 5"})
  void anAnswerWithALengthNeedsNoCloseNotify(String protocol, String length) throws Exception {
    AttemptResult result =
        call(target(protocol, HEAD + length + "\r\n\r\nwhole", (tls, tcp) -> tcp.close()));

    assertTrue(result.message().endsWith("Body: whole"), result.message());
  }

  /** TLS ends; TCP remains open until the test has the result. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void closeNotifyEndsTheAnswer(String protocol) throws Exception {
    AttemptResult result =
        call(
            target(
                protocol,
                HEAD + "\r\nwhole",
                (tls, tcp) -> {
                  tls.shutdownOutput();
                  answered.await();
                }));
    answered.countDown();

    assertTrue(result.succeeded(), result.message());
    assertTrue(result.message().endsWith("Body: whole"), result.message());
  }
}
