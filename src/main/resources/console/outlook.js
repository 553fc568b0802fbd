// What is to come of a job: its next occurrences, and how many lie on each day, as a calendar or, where there are too
// many for one, in words. Also what a disabled job would do.

import { html, nothing } from './lit-html.js';
import { call } from './api.js';
import { calendar } from './charts.js';
import { counted, span } from './format.js';
import { occurrences, upcoming } from './ui.js';

const DAY = 24 * 3600_000;
const DAYS = 42; // of a calendar
const MANY = 48; // a day: where a calendar of days says nothing any more
const LISTED = 10;
const TOP = 1000; // what a preview lists at most

/** "One every 5 min, up to 288 occurrences a day" of what comes too often for a calendar. */
function rhythm({ occurrences: all, days, isPart }) {
  const gaps = all.slice(1).map((at, i) => Date.parse(at) - Date.parse(all[i]));
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  const busiest = Math.max(isPart && least === most ? Math.round(DAY / least) : 0, ...days.map(({ count }) => count));
  return `${least === most ? `One every ${span(least).replace('.0 ', ' ')}` : `From ${span(least)} to ${span(most)} apart`}, up to ${counted(busiest, 'occurrence')} a day.`;
}

/** Days of a calendar, or the rhythm in words. outlook: { occurrences, days, isPart? }, the last where the days are not all. */
export function byDay(outlook, classes = '') {
  if (outlook.days.length === 0) return nothing;
  const isOften = outlook.isPart || outlook.days.some(({ count }) => count > MANY);
  return isOften && outlook.occurrences.length > 2 ? html`<p class="quiet rhythm">${rhythm(outlook)}</p>` : calendar(outlook.days, classes);
}

/** Looks up what a disabled job would do if it were enabled now, or does when its pause ends; anew where that has changed. scope: of its collection. */
export function ifEnabled(scope) {
  let asked, answer;
  return async job => {
    const question = JSON.stringify({ ...job, status: job.status?.executionCount });
    if (asked !== question || Date.parse(answer?.occurrences[0]) <= Date.now()) {
      asked = question;
      answer = await preview(job, scope);
    }
    return answer;
  };
}

/** undefined where it is not known. */
async function preview(job, scope) {
  const { startTime, timeZone, dst, recurrence, jitter, calendars, pause, status } = job;
  const now = pause?.until && Date.parse(pause.until) > Date.now() ? pause.until : undefined;
  const found = await call('POST', '/preview', { startTime, timeZone, dst, recurrence, jitter, calendars, job: `${scope}/${job.id}`, now, top: TOP }).catch(() => undefined);
  if (!found) return undefined;
  const left = recurrence?.count === undefined ? TOP : Math.max(0, recurrence.count - (status?.executionCount ?? 0));
  const all = found.occurrences.slice(0, left), local = found.localTimes ?? all;
  const counts = new Map();
  for (const at of local.slice(0, left)) counts.set(at.slice(0, 10), (counts.get(at.slice(0, 10)) ?? 0) + 1);
  const isPart = all.length === TOP && Date.parse(all.at(-1)) - Date.parse(all[0]) < DAYS * DAY;
  return { occurrences: all, localTimes: found.localTimes, days: [...counts].map(([date, count]) => ({ date, count })), isPart };
}

/** The same, said of a disabled job. */
export function wouldRun(job, outlook, zone) {
  const { recurrence, startTime, pause } = job;
  const until = pause?.until;
  if (!outlook) return html`<p class="quiet">Paused: it does not run until it is enabled.</p>`;
  if (outlook.occurrences.length === 0) return html`<p class="quiet">Paused; no occurrence is left.</p>`;
  if (!recurrence && !(startTime && Date.parse(outlook.occurrences[0]) > Date.now())) {
    return html`<p class="quiet">Paused; ${until ? html`it runs ${upcoming(until)}, when the pause ends` : 'it would run as soon as it is enabled'}.</p>`;
  }
  const { localTimes } = outlook;
  return html`<p class="quiet">Paused; ${until ? html`when the pause ends, ${upcoming(until)}, it runs` : 'it would run'}:</p>
    <div class="split would">
      <div>${occurrences({ occurrences: outlook.occurrences.slice(0, LISTED), localTimes: localTimes?.slice(0, LISTED) }, zone)}</div>
      ${byDay(outlook, 'would')}
    </div>`;
}
