package carillon.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Lua script of the folder {@code lua}; its header is its contract. A line {@code -- include: name}
 * inserts a fragment. With {@code -- behind: repair}, {@code repair.lua} runs the script; with
 * {@code -- behind: many}, {@code many.lua} does.
 *
 * @param name file name without extension
 * @param text text for Redis
 * @param sha1 the name under which Redis caches it
 * @param isOfMany whether one run performs many calls; its contract is that of {@code many.lua}
 */
record LuaScript(String name, String text, String sha1, boolean isOfMany) {
  private static final String INCLUDE = "-- include: ";
  private static final String REPAIRED = "\n-- behind: repair\n";
  private static final String MANY = "-- behind: many\n";
  private static final Pattern KEY_TYPE = Pattern.compile("(?m)^-- KEYS\\[\\d+] +(\\w+)");

  /** Reads a script of the class path; a missing one is a bug. */
  static LuaScript named(String name) {
    String text = withFragments(read(name));
    if (text.contains(MANY)) {
      return ofMany(name, text);
    }
    return of(name, text.contains(REPAIRED) ? repaired(name, text) : text);
  }

  /** A script with this text. */
  static LuaScript of(String name, String text) {
    return new LuaScript(name, text, sha1(text), false);
  }

  /** A script with this text, which gives the functions that many.lua calls. */
  static LuaScript ofMany(String name, String text) {
    String group = "local function group(...)\n" + text + "end\n";
    String whole = "-- " + name + ": many calls\n" + group + read("many");
    return new LuaScript(name, whole, sha1(whole), true);
  }

  /** Returns several calls of this script as one; its contract is that of {@code batch.lua}. */
  LuaScript batched() {
    return of(name, "-- " + name + ": a batch of calls\n" + performed(text) + read("batch"));
  }

  private static String repaired(String name, String text) {
    String types =
        KEY_TYPE
            .matcher(text)
            .results()
            .map(key -> "'" + key.group(1) + "'")
            .collect(Collectors.joining(", ", "local TYPES = {", "}\n"));
    return "-- "
        + name
        + ": repaired where keys are damaged\n"
        + types
        + performed(text)
        + read("repair");
  }

  private static String performed(String text) {
    return "local function perform(KEYS, ARGV)\n" + text + "end\n";
  }

  private static String withFragments(String text) {
    StringBuilder whole = new StringBuilder();
    text.lines()
        .map(line -> line.startsWith(INCLUDE) ? read(line.substring(INCLUDE.length())) : line)
        .forEach(line -> whole.append(line).append('\n'));
    return whole.toString();
  }

  private static String read(String name) {
    try (InputStream file = LuaScript.class.getResourceAsStream("/lua/" + name + ".lua")) {
      if (file == null) {
        throw new IllegalStateException("lua/" + name + ".lua is not on the class path");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
