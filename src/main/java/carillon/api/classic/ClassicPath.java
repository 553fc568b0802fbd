package carillon.api.classic;

import static carillon.api.http.ResourcePath.isWord;

import carillon.api.http.ResourcePath;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A path of the classic dialect, understood:
 *
 * <pre>/{s}/cloudservices[/{cs}[/resources/scheduler[/~]/jobcollections[/{c}[/jobs...]]]]
 * /{s}/entitleresource    /{s}/operations/{id}
 * /{s}/services    /{s}/resourceproviders/scheduler/properties</pre>
 *
 * <p>The fixed words are case-insensitive. What begins as a path of another dialect is one of that.
 *
 * @param subscription as written
 * @param name of the cloud service, or the id of the operation; empty where the path has none
 * @param resource the collection, job or history that the path names, if it goes that far
 */
public record ClassicPath(
    Kind kind, String subscription, String name, Optional<ResourcePath> resource) {
  private static final Set<String> WORDS =
      Set.of("cloudservices", "entitleresource", "operations", "services", "resourceproviders");

  /** What the path names. */
  public enum Kind {
    CLOUD_SERVICES,
    CLOUD_SERVICE,
    COLLECTIONS,
    COLLECTION,
    /** Jobs, one job or its history: what is spoken of in JSON. */
    JOBS,
    ENTITLEMENT,
    OPERATION,
    REGISTRATION,
    PROVIDER,
    /** Nothing that there is. */
    UNKNOWN
  }

  /** Whether the path is one of this dialect, be there anything at it or not. */
  public static Optional<ClassicPath> parse(String path) {
    List<String> segments = ResourcePath.segments(path);
    if (segments.size() < 2
        || segments.get(0).isEmpty()
        || ResourcePath.isOurs(segments)
        || WORDS.stream().noneMatch(word -> isWord(segments, 1, word))) {
      return Optional.empty();
    }
    String subscription = segments.get(0);
    if (isWord(segments, 1, "cloudservices")) {
      return Optional.of(cloudService(subscription, segments));
    }
    String name = isWord(segments, 1, "operations") && segments.size() == 3 ? segments.get(2) : "";
    return Optional.of(of(other(segments), subscription, name));
  }

  private static ClassicPath of(Kind kind, String subscription, String name) {
    return new ClassicPath(kind, subscription, name, Optional.empty());
  }

  private static Kind other(List<String> segments) {
    boolean isAlone = segments.size() == 2;
    if (isAlone && isWord(segments, 1, "entitleresource")) {
      return Kind.ENTITLEMENT;
    }
    if (isAlone && isWord(segments, 1, "services")) {
      return Kind.REGISTRATION;
    }
    if (segments.size() == 3 && isWord(segments, 1, "operations")) {
      return Kind.OPERATION;
    }
    boolean isProvider =
        segments.size() == 4
            && isWord(segments, 1, "resourceproviders")
            && isWord(segments, 2, "scheduler")
            && isWord(segments, 3, "properties");
    return isProvider ? Kind.PROVIDER : Kind.UNKNOWN;
  }

  private static ClassicPath cloudService(String subscription, List<String> segments) {
    if (segments.size() == 2) {
      return of(Kind.CLOUD_SERVICES, subscription, "");
    }
    String name = segments.get(2);
    if (segments.size() == 3) {
      return of(Kind.CLOUD_SERVICE, subscription, name);
    }
    int provider = isWord(segments, 5, "~") ? 6 : 5;
    if (!isWord(segments, 3, "resources")
        || !isWord(segments, 4, "scheduler")
        || !isWord(segments, provider, "jobcollections")) {
      return of(Kind.UNKNOWN, subscription, name);
    }
    List<String> tail = segments.subList(provider + 1, segments.size());
    return tail.isEmpty()
        ? of(Kind.COLLECTIONS, subscription, name)
        : ResourcePath.classic(subscription, name, tail)
            .map(resource -> of(resource, name))
            .orElseGet(() -> of(Kind.UNKNOWN, subscription, name));
  }

  private static ClassicPath of(ResourcePath resource, String name) {
    Kind kind = resource.kind() == ResourcePath.Kind.COLLECTION ? Kind.COLLECTION : Kind.JOBS;
    return new ClassicPath(kind, resource.subscription(), name, Optional.of(resource));
  }

  /** What the path names, in the words of the other dialects where they have one. */
  public Enum<?> leadsTo() {
    return resource.<Enum<?>>map(ResourcePath::kind).orElse(kind);
  }

  /** Whether bodies and refusals are XML here. */
  boolean isXml() {
    return kind != Kind.JOBS;
  }
}
