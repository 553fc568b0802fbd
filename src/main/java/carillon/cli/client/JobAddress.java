package carillon.cli.client;

import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Address of a job: {@code [COLLECTION/]JOB}, in the collection default unless it names one; or in
 * full with its group, as {@code due} prints it.
 *
 * @param place path of its group; empty for the group that the command means
 */
public record JobAddress(String place, String collection, String job) {
  public static final String LABEL = "[COLLECTION/]JOB";
  public static final String DEFAULT = "default";
  public static final String GROUPS = "/groups/";
  private static final String COLLECTIONS = "/jobcollections";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
  private static final int IN_FULL = 4;

  /** Reads an address on the command line. */
  public static final class Converter implements ITypeConverter<JobAddress> {
    @Override
    public JobAddress convert(String text) {
      List<String> parts = List.of(text.split("/", -1));
      boolean isOfNames = parts.stream().allMatch(JobAddress::isName);
      if (isOfNames && parts.size() <= 2) {
        String collection = parts.size() == 1 ? DEFAULT : parts.get(0);
        return new JobAddress(collection, parts.get(parts.size() - 1));
      }
      if (isOfNames && parts.size() == IN_FULL) {
        return new JobAddress(groupPath(parts.get(0), parts.get(1)), parts.get(2), parts.get(3));
      }
      throw new TypeConversionException(
          "'" + text + "' is not [COLLECTION/]JOB or SUBSCRIPTION/GROUP/COLLECTION/JOB");
    }
  }

  /** A job of the group that the command means. */
  public JobAddress(String collection, String job) {
    this("", collection, job);
  }

  /** The name of an item's job, as commands take it; of other groups in full. */
  public static String nameOf(JsonNode item) {
    String group = item.path("subscription").asText() + "/" + item.path("group").asText();
    String name = item.path("collection").asText() + "/" + item.path("job").asText();
    return group.equals("default/default") ? name : group + "/" + name;
  }

  /** True if a node takes this as a name. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Returns a name as it was typed; fails if it is invalid.
   *
   * @param what the kind of the named item, such as {@code a flow}
   */
  public static String checked(String what, String name) {
    if (!isName(name)) {
      throw CommandException.usage(
          what + " must be letters, digits, '.', '_' and '-', was '" + name + "'");
    }
    return name;
  }

  /** The prefix of the native paths of a group. */
  public static String groupPath(String subscription, String group) {
    return GROUPS + subscription + "/" + group;
  }

  /** The path of the collections. */
  public static String collections() {
    return COLLECTIONS;
  }

  public static String pathOf(String collection) {
    return pathOf(COLLECTIONS, collection);
  }

  /** Returns the path of a resource in a list. */
  public static String pathOf(String list, String name) {
    return list + "/" + QueryString.encoded(name);
  }

  public static String jobsOf(String collection) {
    return pathOf(collection) + "/jobs";
  }

  /** Returns the address in the form of a document. */
  public ObjectNode document() {
    return Json.MAPPER.createObjectNode().put("collection", collection).put("job", job);
  }

  /**
   * Returns subscription, group, collection and job; {@code default} for parts that the command
   * leaves out.
   */
  public String fullName() {
    String group = place.isEmpty() ? DEFAULT + "/" + DEFAULT : place.substring(GROUPS.length());
    return group + "/" + collection + "/" + job;
  }

  /** The path of the jobs of its collection. */
  public String list() {
    return place + jobsOf(collection);
  }

  public String path() {
    return place + jobsOf(collection) + "/" + QueryString.encoded(job);
  }

  @Override
  public String toString() {
    String group = place.isEmpty() ? "" : place.substring(GROUPS.length()) + "/";
    return group + collection + "/" + job;
  }
}
