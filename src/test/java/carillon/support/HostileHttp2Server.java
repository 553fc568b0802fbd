package carillon.support;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * A TLS target that attacks its callers over HTTP/2. Its frames are built by hand, because no
 * library sends such frames. One thread for each connection. Thread-safe.
 */
public final class HostileHttp2Server implements AutoCloseable {
  private static final int PREFACE = 24;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int PUSH_PROMISE = 5;
  private static final int PING = 6;
  private static final int UNKNOWN = 42;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int BATCH = 1000;

  private final Kind kind;
  private final SSLServerSocket server;
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  /** Kind of answer to a request. The server never acknowledges settings. */
  public enum Kind {
    /** Sends push promises forever. */
    PUSHES,
    /** Answers 103 forever. */
    HINTS,
    /** Answers 102 forever. */
    PROCESSING,
    /** Answers 102 and 104, and then 200. This is allowed. */
    INTERIM,
    /** Answers 200, and then continues the ended stream. */
    AFTER_THE_END,
    /** Sends frames of an unknown type. */
    UNKNOWN_FRAMES,
    /** Sends pings forever, and reads no answer. */
    PINGS,
    /** Sends a ping before its settings. */
    NO_SETTINGS,
    /** Does not answer at all. */
    SILENT
  }

  public HostileHttp2Server(Kind kind, TestCertificate certificate) {
    this.kind = kind;
    try {
      server =
          (SSLServerSocket) context(certificate).getServerSocketFactory().createServerSocket(0);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    Thread acceptor = new Thread(this::accept, "hostile-" + kind);
    acceptor.setDaemon(true);
    acceptor.start();
  }

  private static SSLContext context(TestCertificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    char[] password = certificate.password().toCharArray();
    try (InputStream in = Files.newInputStream(certificate.pfx())) {
      store.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  public String url() {
    return "https://localhost:" + server.getLocalPort() + "/" + kind;
  }

  /** Returns the number of connections opened by callers. */
  public int opened() {
    return opened.get();
  }

  /** Returns the number of connections that have ended. */
  public int closed() {
    return closed.get();
  }

  private void accept() {
    try {
      while (true) {
        SSLSocket socket = (SSLSocket) server.accept();
        opened.incrementAndGet();
        Thread thread = new Thread(() -> serve(socket), "hostile-" + kind);
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(SSLSocket socket) {
    try (socket) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      in.skipNBytes(PREFACE);
      out.write(frame(kind == Kind.NO_SETTINGS ? PING : SETTINGS, 0, 0, pingOrNothing()));
      while (frameType(in) != HEADERS) {}
      harm(in, out);
    } catch (IOException e) {
      // the caller has gone
    } finally {
      closed.incrementAndGet();
    }
  }

  private byte[] pingOrNothing() {
    return new byte[kind == Kind.NO_SETTINGS ? 8 : 0];
  }

  /** Reads a frame and returns its type. */
  private static int frameType(DataInputStream in) throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    in.skipNBytes(5 + length);
    return type;
  }

  private void harm(InputStream in, OutputStream out) throws IOException {
    if (kind == Kind.SILENT || kind == Kind.NO_SETTINGS) {
      while (in.read() >= 0) {}
      return;
    }
    if (kind == Kind.INTERIM) {
      out.write(frame(HEADERS, END_HEADERS, 1, status("102")));
      out.write(frame(HEADERS, END_HEADERS, 1, status("104")));
      out.write(frame(HEADERS, END_HEADERS | END_STREAM, 1, status("200")));
      while (in.read() >= 0) {}
      return;
    }
    if (kind == Kind.AFTER_THE_END) {
      out.write(frame(HEADERS, END_HEADERS | END_STREAM, 1, status("200")));
    }
    for (int promised = 2; ; promised += 2 * BATCH) {
      out.write(batch(promised));
    }
  }

  private byte[] batch(int promised) throws IOException {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = 0; i < BATCH; i++) {
      frames.write(one(promised + 2 * i));
    }
    return frames.toByteArray();
  }

  private byte[] one(int promised) {
    return switch (kind) {
      case PUSHES -> frame(PUSH_PROMISE, END_HEADERS, 1, promise(promised));
      case HINTS, AFTER_THE_END -> frame(HEADERS, END_HEADERS, 1, status("103"));
      case PROCESSING -> frame(HEADERS, END_HEADERS, 1, status("102"));
      case PINGS -> frame(PING, 0, 0, new byte[8]);
      default -> frame(UNKNOWN, 0, 1, new byte[0]);
    };
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    frame[8] = (byte) stream;
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  /** Returns an HPACK literal for the indexed name {@code :status}, without indexing. */
  private static byte[] status(String code) {
    return ("\u0008\u0003" + code).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the stream id and {@code GET https://localhost/}. */
  private static byte[] promise(int stream) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(stream >>> 24);
    bytes.write(stream >>> 16);
    bytes.write(stream >>> 8);
    bytes.write(stream);
    bytes.write(0x82);
    bytes.write(0x84);
    bytes.write(0x87);
    bytes.writeBytes("\u0001\u0009localhost".getBytes(StandardCharsets.US_ASCII));
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
