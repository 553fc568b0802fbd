package carillon.cli.client;

import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.text.NearestName;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Servers by name, with their API keys, in a file that only its owner may read; one of them is in
 * use.
 */
public final class Contexts {
  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER));
  private static final boolean HAS_MODES =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<PosixFilePermission> OF_OWNER =
      PosixFilePermissions.fromString("rwx------");
  private static final List<String> FIELDS = List.of("url", "key", "ca", "subscription", "group");
  private static final String CURRENT = "current";
  private static final String CONTEXTS = "contexts";

  /** Server, and the identity of its user. Empty fields: as without a context. */
  public record Server(
      Optional<String> url,
      Optional<String> key,
      Optional<String> ca,
      Optional<String> subscription,
      Optional<String> group) {
    /** Returns this server, with each value that the other server sets. */
    public Server with(Server newer) {
      return new Server(
          newer.url.or(() -> url),
          newer.key.or(() -> key),
          newer.ca.or(() -> ca),
          newer.subscription.or(() -> subscription),
          newer.group.or(() -> group));
    }

    private ObjectNode document() {
      ObjectNode document = Json.MAPPER.createObjectNode();
      url.ifPresent(text -> document.put("url", text));
      key.ifPresent(text -> document.put("key", text));
      ca.ifPresent(text -> document.put("ca", text));
      subscription.ifPresent(text -> document.put("subscription", text));
      group.ifPresent(text -> document.put("group", text));
      return document;
    }

    /** Shows all but the key. */
    @Override
    public String toString() {
      return url.orElse("");
    }
  }

  private final Path file;
  private final SortedMap<String, Server> servers = new TreeMap<>();
  private Optional<String> current = Optional.empty();

  private Contexts(Path file) {
    this.file = file;
  }

  /** Reads a file; without one there is no context. Fails where others may read it. */
  static Contexts in(Path file) {
    Contexts contexts = new Contexts(file);
    if (!Files.exists(file)) {
      return contexts;
    }
    try {
      contexts.checkMode();
      contexts.read(YAML.readTree(Files.readAllBytes(file)));
      return contexts;
    } catch (JsonProcessingException e) {
      // without the cause: its message would quote the file, and so a key
      throw CommandException.usage(
          file
              + " is not YAML"
              + (e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr()));
    } catch (IOException e) {
      throw CommandException.usage(file + " cannot be read: " + IoErrorText.of(e));
    }
  }

  private void checkMode() throws IOException {
    if (!HAS_MODES) {
      return;
    }
    Set<PosixFilePermission> modes = Files.getPosixFilePermissions(file);
    if (!OF_OWNER.containsAll(modes)) {
      throw CommandException.usage(
          file
              + " holds API keys and is open to others ("
              + PosixFilePermissions.toString(modes)
              + "): chmod 600 "
              + file);
    }
  }

  private void read(JsonNode document) {
    if (document.isMissingNode() || document.isNull()) {
      return;
    }
    refuseUnknown("", document, List.of(CURRENT, CONTEXTS));
    refuseUnknown(CONTEXTS + ".", document.path(CONTEXTS), null);
    for (Map.Entry<String, JsonNode> entry : document.path(CONTEXTS).properties()) {
      JsonNode server = entry.getValue();
      refuseUnknown(CONTEXTS + "." + entry.getKey() + ".", server, FIELDS);
      servers.put(
          entry.getKey(),
          new Server(
              text(server, "url"),
              text(server, "key"),
              text(server, "ca"),
              text(server, "subscription"),
              text(server, "group")));
    }
    current = text(document, CURRENT);
  }

  /** Refuses unknown fields. Values are never quoted. */
  private void refuseUnknown(String path, JsonNode object, List<String> known) {
    if (!object.isObject() && !object.isMissingNode()) {
      String name = path.isEmpty() ? "it" : path.substring(0, path.length() - 1);
      throw CommandException.usage(file + ": " + name + " must be a map");
    }
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (known != null && !known.contains(field.getKey())) {
        throw CommandException.usage(
            file
                + ": there is no "
                + path
                + field.getKey()
                + "; known are "
                + String.join(", ", known));
      }
    }
  }

  private static Optional<String> text(JsonNode object, String field) {
    return Optional.ofNullable(object.get(field)).map(JsonNode::asText).filter(t -> !t.isEmpty());
  }

  public SortedMap<String, Server> servers() {
    return servers;
  }

  public boolean isCurrent(String name) {
    return current.filter(name::equals).isPresent();
  }

  /** The server in use. */
  Optional<Server> current() {
    return current.map(this::named);
  }

  /** The server of this name; fails with the nearest one if there is none. */
  Server named(String name) {
    Server server = servers.get(name);
    if (server == null) {
      throw CommandException.usage(
          "there is no context '"
              + name
              + "' in "
              + file
              + NearestName.of(name, servers.keySet())
                  .map(near -> "; did you mean '" + near + "'?")
                  .orElse("; carillon context set creates one"));
    }
    return server;
  }

  /** Takes a server into use. */
  public void use(String name) {
    named(name);
    current = Optional.of(name);
  }

  /** Adds a server, or replaces it; the only one is in use. */
  public void put(String name, Server server) {
    servers.put(name, server);
    if (servers.size() == 1) {
      current = Optional.of(name);
    }
  }

  /** Removes a server, whose key is then gone. */
  public void remove(String name) {
    named(name);
    servers.remove(name);
    current = current.filter(used -> !used.equals(name));
  }

  /** Writes the file, whole or not at all, for its owner alone. */
  public void write() {
    ObjectNode document = Json.MAPPER.createObjectNode();
    current.ifPresent(name -> document.put(CURRENT, name));
    ObjectNode all = document.putObject(CONTEXTS);
    servers.forEach((name, server) -> all.set(name, server.document()));
    try {
      Path place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Files.createDirectories(place.getParent(), mode("rwx------"));
      Path written = Files.createTempFile(place.getParent(), "contexts", "", mode("rw-------"));
      try {
        Files.write(written, YAML.writeValueAsBytes(document));
        Files.move(
            written, place, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      throw CommandException.usage(file + " cannot be written: " + IoErrorText.of(e));
    }
  }

  private static FileAttribute<?>[] mode(String text) {
    return HAS_MODES
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
        }
        : new FileAttribute<?>[0];
  }
}
