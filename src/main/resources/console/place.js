// Which group the console looks at: its address begins with /g/<subscription>/<group>, unless both are default.

const DEFAULT = ['default', 'default'];
const part = encodeURIComponent;
let names = DEFAULT;

/** Takes the group from an address after #; returns the rest of it. */
export function enter(path) {
  const [, subscription, group, rest] = /^(?:\/g\/([^/]+)\/([^/]+))?(\/.*)$/.exec(path) ?? [];
  names = subscription ? [decodeURIComponent(subscription), decodeURIComponent(group)] : DEFAULT;
  return rest ?? path;
}

const isDefault = some => some.every((name, i) => name.toLowerCase() === DEFAULT[i]);

/** As scopes name it, and people choose it. */
export const group = () => names.join('/');

const root = (of = names) => isDefault(of) ? '' : `/groups/${of.map(part).join('/')}`;

/** Where its collections are in the API. */
export const base = () => baseOf(names);

/** Where those of a group are. */
export const baseOf = of => `${root(of)}/jobcollections`;

/** Where its calendars are. */
export const calendarBase = () => `${root()}/calendars`;

/** Where its flows are. */
export const flowBase = () => `${root()}/flows`;

/** A link within the console: to a page of this group, or of another. */
export const link = (path, of = names) => `#${isDefault(of) ? '' : `/g/${of.map(part).join('/')}`}${path}`;

export const collectionLink = (collection, of) => link(`/c/${part(collection)}`, of);
export const jobLink = (collection, job, of) => `${collectionLink(collection, of)}/j/${part(job)}`;
