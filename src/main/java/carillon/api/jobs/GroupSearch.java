package carillon.api.jobs;

import carillon.access.Scope;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.Quoted;
import carillon.store.collection.CollectionStore;
import carillon.store.job.JobListing;
import carillon.store.job.JobSearch;
import carillon.store.job.JobSearch.Budget;
import carillon.store.job.JobSearch.Criteria;
import carillon.store.job.JobSearch.Hits;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Search for jobs in all collections of a group, one collection after the other, in the order of
 * their names. It examines a limited number of collections and names, and then returns a token to
 * continue. Confined to the event loop of its stores.
 */
final class GroupSearch {
  /**
   * Maximum number of collections to examine. An index without a hit costs as much as a few names.
   */
  private static final int MAX_COLLECTIONS = JobSearch.MAX_NAMES / JobSearch.NAMES_OF_FEW;

  private final CollectionStore collections;
  private final JobListing listing;
  private final JobSearch finder;

  GroupSearch(CollectionStore collections, JobListing listing, JobSearch finder) {
    this.collections = collections;
    this.listing = listing;
    this.finder = finder;
  }

  /**
   * Jobs that were found.
   *
   * @param after token to continue; empty when all have been examined
   */
  record FoundJobs(List<JobName> jobs, Optional<String> after) {}

  /**
   * Continues a search.
   *
   * @param parts visible parts of the group; disjoint, in the order of names
   * @param after token of the page before, empty text for the beginning
   * @param top maximum number of jobs; a page may have fewer although the search is not complete
   */
  Future<FoundJobs> find(List<Scope> parts, Criteria wanted, String after, int top) {
    return parts.isEmpty()
        ? Future.succeededFuture(new FoundJobs(List.of(), Optional.empty()))
        : new Walk(parts, wanted, top).from(after);
  }

  /**
   * State of one search. A token is {@code group/collection} if that collection is complete, or
   * ends with the last name of it.
   */
  private final class Walk {
    private final List<Scope> parts;
    private final Criteria wanted;
    private final int top;
    private final Budget budget = new Budget();
    private final List<JobName> jobs = new ArrayList<>();

    Walk(List<Scope> parts, Criteria wanted, int top) {
      this.parts = parts;
      this.wanted = wanted;
      this.top = top;
    }

    Future<FoundJobs> from(String token) {
      String[] names = token.split("/", -1);
      if (token.isEmpty() || names.length == 2) {
        return list(token);
      }
      if (names.length != 3) {
        throw refusal(token);
      }
      CollectionName begun = visible(names[0], names[1], token);
      return search(begun, names[2])
          .compose(
              end ->
                  end.isPresent()
                      ? found(end)
                      : isOver() ? found(Optional.of(token(begun))) : list(token(begun)));
    }

    /**
     * Returns the collection of a token. Anybody can write a token, so it must not lead to a
     * collection that the caller may not see.
     */
    private CollectionName visible(String group, String collection, String token) {
      String subscription = parts.get(0).subscription();
      Scope scope = Scope.collection(subscription, group, collection);
      if (parts.stream().noneMatch(part -> part.covers(scope))) {
        throw refusal(token);
      }
      return new CollectionName(subscription, group, collection);
    }

    private static JobException refusal(String token) {
      return JobException.invalid(
          "$skiptoken: '" + Quoted.of(token) + "' must be the token of a nextLink of this search");
    }

    private static String token(CollectionName collection) {
      return collection.key().substring(collection.subscription().length() + 1);
    }

    private Future<FoundJobs> list(String after) {
      return collections
          .list(parts, after, 0, MAX_COLLECTIONS)
          .compose(
              // The jobs of a damaged collection can be read all the same.
              page -> search(page.names(), page.after()));
    }

    /**
     * Searches some collections.
     *
     * @param after token of the rest
     */
    private Future<FoundJobs> search(List<CollectionName> some, Optional<String> after) {
      if (some.isEmpty()) {
        return found(after);
      }
      CollectionName first = some.get(0);
      List<CollectionName> rest = some.subList(1, some.size());
      return search(first, "")
          .compose(
              end -> {
                if (end.isPresent()) {
                  return found(end);
                }
                boolean isLast = rest.isEmpty() && after.isEmpty();
                return isOver() && !isLast ? found(Optional.of(token(first))) : search(rest, after);
              });
    }

    /** Searches one collection. Returns the token to continue if the collection is not complete. */
    private Future<Optional<String>> search(CollectionName collection, String after) {
      return hits(collection, after, top - jobs.size())
          .map(
              hits -> {
                hits.names().forEach(name -> jobs.add(collection.job(name)));
                return hits.after().map(name -> token(collection) + "/" + name);
              });
    }

    private Future<Hits> hits(CollectionName collection, String after, int left) {
      if (!wanted.isIndexed()) {
        return finder.find(collection, wanted, after, left, budget);
      }
      budget.spend(JobSearch.NAMES_OF_FEW);
      return listing.names(collection, wanted.state(), wanted.prefix(), after, left);
    }

    private boolean isOver() {
      return jobs.size() >= top || budget.isSpent();
    }

    private Future<FoundJobs> found(Optional<String> after) {
      return Future.succeededFuture(new FoundJobs(jobs, after));
    }
  }
}
