// Whose clocks the console shows: the viewer's, or UTC. Kept in this browser.

const KEPT = 'carillon.zone';
const SHOWN = new Map();

let isUtc = localStorage.getItem(KEPT) === 'utc';

export const showsUtc = () => isUtc;

/** Shows all times in UTC from now on, or in the viewer's zone. */
export function showUtc(wanted) {
  isUtc = wanted;
  if (wanted) localStorage.setItem(KEPT, 'utc');
  else localStorage.removeItem(KEPT);
}

// The browser is asked once a page: the answer is dear, and there are thousands of times.
let own;
window.addEventListener('hashchange', () => { own = undefined; });

/** "Europe/Berlin", as the browser has it. */
export const ownZone = () => own ??= Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

const zone = () => isUtc ? 'UTC' : ownZone();

const CLOCK = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };
const NAME = { timeZoneName: 'short' };

/** A format is dear to make, and there are thousands of times. */
function format(kind, timeZone) {
  const key = `${kind === NAME} ${timeZone}`;
  if (!SHOWN.has(key)) SHOWN.set(key, new Intl.DateTimeFormat('en-GB', { ...kind, timeZone }));
  return SHOWN.get(key);
}

/** What is the same for a quarter of an hour of a zone: clocks have been changed at such only since St John's gave up a minute past midnight. */
const QUARTER = 900_000, SINCE = Date.UTC(2012), UNTIL = Date.UTC(9999), MOST = 10_000;
const kept = new Map();

function inQuarter(kind, at, find) {
  const key = `${kind} ${zone()} ${Math.floor(at / QUARTER)}`;
  if (kept.size > MOST) kept.clear();
  if (!kept.has(key)) kept.set(key, find());
  return kept.get(key);
}

/** What the clocks show, as the browser tells it: it takes its time for that. */
const asked = at => Object.fromEntries(format(CLOCK, zone()).formatToParts(at).map(({ type, value }) => [type, value]));

/** What the clocks of the chosen zone show, "2026-12-01 08:00:00". */
export function reading(instant) {
  const at = new Date(instant).getTime();
  if (at >= SINCE && at < UNTIL) return new Date(at + ahead(at)).toISOString().slice(0, 19).replace('T', ' ');
  const { year, month, day, hour, minute, second } = asked(at);
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** How far those clocks are ahead of UTC at an instant, in ms. */
export function ahead(instant) {
  const at = new Date(instant).getTime();
  const find = () => {
    const { year, month, day, hour, minute, second } = asked(at);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
  };
  return at >= SINCE ? inQuarter('ahead', at, find) : find();
}

/** "UTC", or what the viewer's zone is called at an instant: "GMT+2", "CET". */
export function zoneName(instant = Date.now()) {
  if (isUtc) return 'UTC';
  const at = new Date(instant).getTime();
  return inQuarter('name', at, () => format(NAME, zone()).formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? zone());
}
