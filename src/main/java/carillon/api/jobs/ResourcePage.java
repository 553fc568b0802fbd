package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.QueryParameters;
import carillon.job.NameRules;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Page of the named resources of a group, in the order of their names.
 *
 * @param nextLink where the next page is; empty for the last one
 */
record ResourcePage<T>(List<T> resources, Optional<String> nextLink) {
  /**
   * The page that a request asks for.
   *
   * @param all resources of all groups by their keys {@code sub/group/resource}
   */
  static <T> ResourcePage<T> of(ApiRequest request, NavigableMap<String, T> all) {
    String group =
        NameRules.fold(
            request.path().subscription() + "/" + request.path().group().orElseThrow() + "/");
    QueryParameters query = request.query();
    int top = query.top();
    List<Map.Entry<String, T>> rest =
        all.tailMap(group + query.after(), query.after().isEmpty()).entrySet().stream()
            .filter(resource -> resource.getKey().startsWith(group))
            .skip(query.skip())
            .limit(top + 1L)
            .toList();
    List<Map.Entry<String, T>> page = rest.subList(0, Math.min(top, rest.size()));
    Optional<String> next =
        rest.size() > top
            ? Optional.of(request.nextLink(page.get(top - 1).getKey().substring(group.length())))
            : Optional.empty();
    return new ResourcePage<>(page.stream().map(Map.Entry::getValue).toList(), next);
  }
}
