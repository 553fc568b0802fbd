package carillon.support;

import carillon.redis.embedded.EmbeddedRedis;
import carillon.redis.embedded.EmbeddedRedisOptions;
import carillon.redis.embedded.EmbeddedRedisOptions.BinarySource;
import carillon.redis.route.RedisLinkOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real Redis for tests, in a temporary directory that {@link #close} removes. Each JVM has one
 * {@link #shared} server; flush it before each test. Tests with kills, pauses or restarts start
 * their own. The server never forces writes to the disk (appendfsync no). This is fast, and data
 * still survives {@link #kill9}.
 */
public final class RedisServer implements TestRedis {
  /** Timeout for all tests except those of late answers. A busy machine is slow. */
  static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(20);

  private static RedisServer shared; // guarded by the class

  private final Path dir;
  private final EmbeddedRedisOptions options;
  private final int port;
  private int tlsPort; // 0 without TLS
  private EmbeddedRedis redis;

  private RedisServer(int port, BinarySource binary, List<String> extraConfig) {
    this(createDirectory(), port, binary, extraConfig);
  }

  private RedisServer(Path dir, int port, BinarySource binary, List<String> extraConfig) {
    this.port = port;
    this.dir = dir;
    this.options =
        EmbeddedRedisOptions.in(dir)
            .with(binary)
            .withStartDeadline(Duration.ofSeconds(30))
            .withExtraConfig(config(port, extraConfig));
    this.redis = EmbeddedRedis.start(options);
  }

  /** Returns the shared server of this JVM, on the unix socket only. It ends with the JVM. */
  public static synchronized RedisServer shared() {
    if (shared == null) {
      shared = start();
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
    }
    return shared;
  }

  /** Starts a server on a unix socket only. */
  public static RedisServer start(String... extraConfig) {
    return new RedisServer(0, BinarySource.ANY, List.of(extraConfig));
  }

  /**
   * Starts a server that also listens on a free TCP port of the loopback interface, for redis-cli
   * and proxies.
   */
  public static RedisServer startWithPort(String... extraConfig) {
    return new RedisServer(Ports.free(), BinarySource.ANY, List.of(extraConfig));
  }

  /** Same as {@link #startWithPort}, with its files below {@code parent}. */
  public static RedisServer startIn(Path parent, String... extraConfig) {
    return new RedisServer(
        parent.resolve("redis"), Ports.free(), BinarySource.ANY, List.of(extraConfig));
  }

  /**
   * Starts a server that also listens for TLS on a free port of the loopback interface. The binary
   * must support TLS.
   */
  public static RedisServer startWithTls(String... extraConfig) {
    int port = Ports.free();
    List<String> config = new ArrayList<>(List.of("tls-port " + port));
    config.addAll(List.of(extraConfig));
    RedisServer server = startWithPort(config.toArray(String[]::new));
    server.tlsPort = port;
    return server;
  }

  /** Returns the TLS port, after {@link #startWithTls} only. */
  public int tlsPort() {
    return tlsPort;
  }

  /** Returns the address for clients, {@code unix:///...}. A restart does not change it. */
  public URI uri() {
    return redis.uri();
  }

  @Override
  public RedisLinkOptions setup() {
    return TestRedis.standalone(uri(), COMMAND_TIMEOUT, Duration.ofMillis(100));
  }

  /** Returns the TCP address, {@code redis://127.0.0.1:PORT}, after {@link #startWithPort} only. */
  public URI tcpUri() {
    return URI.create("redis://127.0.0.1:" + port());
  }

  /** Returns the TCP port, after {@link #startWithPort} only. */
  public int port() {
    if (port == 0) {
      throw new IllegalStateException("started without a TCP port");
    }
    return port;
  }

  public long pid() {
    return redis.pid();
  }

  @Override
  public void flush() {
    ask("FLUSHALL");
    ask("FUNCTION FLUSH");
    ask("SCRIPT FLUSH");
  }

  /**
   * Sends one inline command (words separated by spaces) and returns the first line of the reply,
   * such as {@code :1} or {@code +OK}. Blocks for as long as Redis does.
   *
   * @throws IllegalStateException when the reply is an error
   */
  public String ask(String command) {
    return ask(Path.of(uri().getPath()), command);
  }

  /** Same as {@link #ask(String)}, for the server of another socket. */
  static String ask(Path socket, String command) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(StandardCharsets.UTF_8.encode(command + "\r\n"));
      String line = readLine(channel);
      if (line.startsWith("-")) {
        throw new IllegalStateException(command + ": " + line);
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(command, e);
    }
  }

  /**
   * Sends one inline command and returns every text and number of the reply, in order.
   *
   * @throws IllegalStateException when the reply is an error
   */
  public List<String> list(String command) {
    return list(Path.of(uri().getPath()), command);
  }

  @Override
  public List<String> keys(String pattern) {
    return list("KEYS " + pattern);
  }

  /** Same as {@link #list(String)}, for the server of another socket. */
  public static List<String> list(Path socket, String command) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(StandardCharsets.UTF_8.encode(command + "\r\n"));
      List<String> texts = new ArrayList<>();
      read(new BufferedInputStream(Channels.newInputStream(channel)), command, texts);
      return texts;
    } catch (IOException e) {
      throw new UncheckedIOException(command, e);
    }
  }

  private static void read(InputStream in, String command, List<String> texts) throws IOException {
    StringBuilder line = new StringBuilder();
    while (line.indexOf("\r\n") < 0) {
      line.append((char) in.read());
    }
    String rest = line.substring(1, line.length() - 2);
    switch (line.charAt(0)) {
      case '-' -> throw new IllegalStateException(command + ": " + rest);
      case '$' -> {
        texts.add(new String(in.readNBytes(Integer.parseInt(rest)), StandardCharsets.UTF_8));
        in.skipNBytes(2);
      }
      case '*' -> {
        for (int i = 0; i < Integer.parseInt(rest); i++) {
          read(in, command, texts);
        }
      }
      default -> texts.add(rest);
    }
  }

  /** Returns the path of the redis-server program. */
  public Path binary() {
    return redis.binary();
  }

  /** Runs a script and returns its text, which must not be empty. */
  public String eval(String script) {
    return perform(List.of("EVAL", script, "0")).get(0);
  }

  /**
   * Sends one command of any words and returns every text and number of the reply, in order.
   *
   * @throws IllegalStateException when the reply is an error
   */
  public List<String> perform(List<String> words) {
    String bulks = words.stream().map(RedisServer::bulk).collect(Collectors.joining());
    return list("*" + words.size() + "\r\n" + bulks);
  }

  private static String bulk(String text) {
    return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
  }

  @Override
  public String dump() {
    return eval(
        """
        local read = {hash = {'HGETALL'}, zset = {'ZRANGE', 0, -1}, list = {'LRANGE', 0, -1},
          set = {'SMEMBERS'}, string = {'GET'}, stream = {'XRANGE', '-', '+'}}
        local function text(value)
          if type(value) ~= 'table' then return value end
          local parts = {}
          for i, part in ipairs(value) do parts[i] = text(part) end
          return table.concat(parts, ' ')
        end
        local all = {'dump'}
        local keys = redis.call('KEYS', '*')
        table.sort(keys)
        for _, key in ipairs(keys) do
          local how = read[redis.call('TYPE', key).ok]
          local value = redis.call(how[1], key, unpack(how, 2))
          all[#all + 1] = key .. ' ' .. text(value)
        end
        return table.concat(all, '\\n')
        """);
  }

  /** Kills Redis with SIGKILL and waits for its end. */
  public void kill9() {
    ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
    redis.onExit().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** Suspends the process (SIGSTOP): connections stay open, and nothing is answered. */
  public void pause() {
    signal(pid(), "STOP");
  }

  /** Resumes a suspended process. */
  public void resume() {
    signal(pid(), "CONT");
  }

  /** Restarts Redis on the same directory, socket and port. Stops it first if it still runs. */
  public void restart() {
    stop();
    redis = EmbeddedRedis.start(options);
  }

  /** Stops Redis (suspended or not) and keeps the directory. */
  public void stop() {
    if (ProcessHandle.of(pid()).isPresent()) {
      resume();
    }
    redis.close();
  }

  /** Stops Redis and removes its directory. */
  @Override
  public void close() {
    stop();
    delete(dir);
  }

  private static List<String> config(int port, List<String> extra) {
    List<String> lines = new ArrayList<>(List.of("appendfsync no"));
    if (port > 0) {
      lines.add("port " + port);
      lines.add("bind 127.0.0.1");
    }
    lines.addAll(extra);
    return lines;
  }

  /** Sends a signal, such as {@code STOP}, to a process. */
  static void signal(long pid, String name) {
    try {
      String command = "kill -s " + name + " " + pid;
      int code = new ProcessBuilder("/bin/sh", "-c", command).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException(command + " failed: " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String readLine(SocketChannel channel) throws IOException {
    StringBuilder line = new StringBuilder();
    ByteBuffer buffer = ByteBuffer.allocate(1024);
    while (line.indexOf("\r\n") < 0) {
      if (channel.read(buffer.clear()) < 0) {
        throw new IOException("the connection ended after '" + line + "'");
      }
      line.append(StandardCharsets.UTF_8.decode(buffer.flip()));
    }
    return line.substring(0, line.indexOf("\r\n"));
  }

  private static Path createDirectory() {
    try {
      return Files.createTempDirectory("carillon-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path dir) {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
