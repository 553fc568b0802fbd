package carillon.access;

import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The part of all collections that a caller may read.
 *
 * @param scopes of all grants, since every role may read
 */
public record Visibility(List<Scope> scopes) {
  private static final int NAMES_OF_A_JOB = 4;

  public Visibility {
    scopes = List.copyOf(scopes);
  }

  /** Whether it is everything. */
  public boolean isAll() {
    return scopes.contains(Scope.EVERYTHING);
  }

  /** Whether it is all of this scope. */
  public boolean covers(Scope scope) {
    return scopes.stream().anyMatch(own -> own.covers(scope));
  }

  /** Whether it is a part of this scope, or all of it. */
  public boolean meets(Scope scope) {
    return scopes.stream().anyMatch(own -> own.meets(scope));
  }

  /** Whether the collection is visible. */
  public boolean includes(CollectionName name) {
    return covers(Scope.collection(name.subscription(), name.group(), name.collection()));
  }

  /**
   * Whether the job of this key is visible. Unreadable keys are visible only to callers who see
   * everything.
   */
  public boolean includes(JobKey job) {
    List<String> names = job.parts();
    return isAll()
        || (names.size() == NAMES_OF_A_JOB
            && covers(Scope.collection(names.get(0), names.get(1), names.get(2))));
  }

  /**
   * The visible parts of a scope: disjoint, in the order of names; where all of it is visible, the
   * scope itself.
   */
  public List<Scope> within(Scope scope) {
    if (covers(scope)) {
      return List.of(scope);
    }
    List<Scope> inside = scopes.stream().filter(scope::covers).distinct().toList();
    return inside.stream()
        .filter(
            part -> inside.stream().noneMatch(other -> !other.equals(part) && other.covers(part)))
        .sorted(Comparator.comparing(Visibility::place))
        .toList();
  }

  /** Sort key of a scope; the names of a group come after {@code group/}. */
  private static String place(Scope scope) {
    return scope.subscription() + "/" + scope.group() + "/" + scope.collections().beginning();
  }

  /** Text of the scopes, the same for all callers with the same scopes. */
  public String text() {
    return isAll()
        ? Scope.EVERYTHING.text()
        : scopes.stream().map(Scope::text).distinct().sorted().collect(Collectors.joining(" "));
  }
}
