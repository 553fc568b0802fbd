// A search by a part of a name: names that begin with it come first, as an index knows them and no million names are looked
// at; then those that have it further on.

const isOfPrefix = path => new URLSearchParams(path.split('?')[1]).has('prefix');

/** search(wanted) gives the path of a search. filter: { name, state, lastOutcome, label }, as it is at each call. */
export function searching(search, filter) {
  const isOfName = () => filter.name !== '' && filter.lastOutcome === '' && filter.label === '';
  return {
    first: () => isOfName() ? search({ prefix: filter.name, state: filter.state }) : search(filter),
    /** Where a list goes on, which the server does not: behind the names that begin so. */
    behind: path => isOfPrefix(path) ? search(filter) : undefined,
    isOfPrefix,
    /** Whether what a path found was not found before. */
    isNew: (path, job) => !isOfName() || isOfPrefix(path) || !job.id.toLowerCase().startsWith(filter.name.toLowerCase()),
  };
}
