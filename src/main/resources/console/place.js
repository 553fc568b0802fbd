// Groups: where the API has what is in one, and the pages of the console for it. The address of the console begins with
// /g/<subscription>/<group>, unless both are default.

const DEFAULT = ['default', 'default'];
const part = encodeURIComponent;
let names = DEFAULT;

/** Takes the group from an address after #, also as the API names it; returns the rest of it. */
export function enter(path) {
  const [, subscription, group, rest] = /^(?:\/g(?:roups)?\/([^/]+)\/([^/]+))?(\/.*)$/.exec(path) ?? [];
  names = subscription ? [decodeURIComponent(subscription), decodeURIComponent(group)] : DEFAULT;
  return rest ?? path;
}

const isDefault = some => some.every((name, i) => name.toLowerCase() === DEFAULT[i]);

/** As scopes name it, and people choose it. */
export const group = () => names.join('/');

/** A link within the console: to a page of this group, or of another. */
export const link = (path, of = names) => `#${isDefault(of) ? '' : `/g/${of.map(part).join('/')}`}${path}`;

export const collectionLink = (collection, of) => link(`/c/${part(collection)}`, of);
export const jobLink = (collection, job, of) => `${collectionLink(collection, of)}/j/${part(job)}`;

/**
 * One group, whatever the address says later: a page and what it does, a dialog, a run over many jobs, an undo, keep to the
 * group in which they began.
 */
export function placeOf(of = names) {
  const group = of.join('/');
  const root = isDefault(of) ? '' : `/groups/${of.map(part).join('/')}`;
  const base = `${root}/jobcollections`;
  const collectionPath = collection => `${base}/${part(collection)}`;
  return {
    group,
    isDefault: isDefault(of),
    /** A collection as scopes name it. */
    scope: collection => `${group}/${collection}`,
    /** As people read it: with the group where it is not the default. */
    title: name => isDefault(of) ? name : `${group}/${name}`,
    base,
    searchPath: `${root}/search`,
    calendarBase: `${root}/calendars`,
    flowBase: `${root}/flows`,
    collectionPath,
    jobPath: (collection, job) => `${collectionPath(collection)}/jobs/${part(job)}`,
    calendarPath: calendar => `${root}/calendars/${part(calendar)}`,
    flowPath: flow => `${root}/flows/${part(flow)}`,
    link: path => link(path, of),
    collectionLink: collection => collectionLink(collection, of),
    jobLink: (collection, job) => jobLink(collection, job, of),
  };
}
