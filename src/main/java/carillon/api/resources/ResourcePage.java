package carillon.api.resources;

import carillon.api.http.ApiRequest;
import carillon.api.http.QueryParameters;
import carillon.job.name.NameRules;
import carillon.json.text.JsonOut;
import carillon.store.resource.ResourceStore.FoundResource;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Function;

/**
 * Page of the named resources of a group, in the order of their names.
 *
 * @param resources readable resources
 * @param damaged unreadable resources, which are left out
 * @param nextLink link of the next page; empty for the last one
 */
record ResourcePage<T>(
    List<T> resources, List<JsonOut.LeftOut> damaged, Optional<String> nextLink) {
  /**
   * The page that a request asks for.
   *
   * @param all resources of all groups by their keys {@code sub/group/resource}
   * @param reader reader of the resources on the page
   */
  static <S, T> ResourcePage<T> of(
      ApiRequest request, NavigableMap<String, S> all, Function<S, FoundResource<T>> reader) {
    String group =
        NameRules.fold(
            request.path().subscription() + "/" + request.path().group().orElseThrow() + "/");
    QueryParameters query = request.query();
    int top = query.top();
    List<Map.Entry<String, S>> rest =
        all.tailMap(group + query.after(), query.after().isEmpty()).entrySet().stream()
            .filter(resource -> resource.getKey().startsWith(group))
            .skip(query.skip())
            .limit(top + 1L)
            .toList();
    List<Map.Entry<String, S>> page = rest.subList(0, Math.min(top, rest.size()));
    Optional<String> next =
        rest.size() > top
            ? Optional.of(request.nextLink(page.get(top - 1).getKey().substring(group.length())))
            : Optional.empty();
    List<FoundResource<T>> found = page.stream().map(Map.Entry::getValue).map(reader).toList();
    return new ResourcePage<>(
        found.stream().flatMap(one -> one.resource().stream()).toList(),
        found.stream().flatMap(one -> leftOut(one).stream()).toList(),
        next);
  }

  private static <T> Optional<JsonOut.LeftOut> leftOut(FoundResource<T> found) {
    String name = found.key().substring(found.key().lastIndexOf('/') + 1);
    return found.damaged().map(reason -> new JsonOut.LeftOut(name, reason));
  }
}
