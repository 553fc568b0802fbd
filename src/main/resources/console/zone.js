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

/** What the clocks of the chosen zone show: { year, month, day, hour, minute, second }, texts of two digits and more. */
export function reading(instant) {
  return Object.fromEntries(format(CLOCK, zone()).formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
}

/** How far those clocks are ahead of UTC at an instant, in ms. */
export function ahead(instant) {
  const { year, month, day, hour, minute, second } = reading(instant);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(new Date(instant).getTime() / 1000) * 1000;
}

/** "UTC", or what the viewer's zone is called at an instant: "GMT+2", "CET". */
export function zoneName(instant = Date.now()) {
  if (isUtc) return 'UTC';
  const part = format(NAME, zone()).formatToParts(new Date(instant)).find(({ type }) => type === 'timeZoneName');
  return part?.value ?? zone();
}
