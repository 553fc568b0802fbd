// Small parts that every page uses. Whatever comes from the server is text to lit-html, never markup.

import { html, nothing } from './lit-html.js';
import { counted, inFull, moment, number, relative, span } from './format.js';
import { zoneName } from './zone.js';

/** An instant: how far away, with the moment itself to hover over. */
export const time = instant => instant
  ? html`<time datetime=${instant} title=${inFull(instant)}>${relative(instant)}</time>`
  : html`<span class="quiet">–</span>`;

/** An instant to come; when it has passed, what waits for it is due. */
export const upcoming = instant => instant && new Date(instant) <= Date.now()
  ? html`<time datetime=${instant} title=${inFull(instant)}>due</time>` : time(instant);

/** An instant to the second or the millisecond, with its zone and how far away it is to hover over. */
export const exactly = (instant, millis = true) => html`<time datetime=${instant} title="${inFull(instant)}, ${relative(instant)}">${moment(instant, millis)}</time>`;

/** "09:00:00 +01:00" of "2026-11-25T09:00:00+01:00"; with its day where that is another than the viewer's. */
function there(local, at) {
  const [, day, clock, offset] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(.*)$/.exec(local) ?? [];
  return day === undefined ? local : `${moment(at).startsWith(day) ? '' : `${day} `}${clock} ${offset}`;
}

/** Instants to come by the viewer's clocks, beside them by those of the job where it has a zone, else how far away they are. Of those that are past one is due, and leads. */
export function occurrences({ occurrences: all, localTimes, pauses }, zone) {
  const future = all.findIndex(at => Date.parse(at) > Date.now());
  const first = Math.max(0, (future < 0 ? all.length : future) - 1);
  const paused = new Set(pauses?.flatMap(one => one.occurrences));
  const when = (at, i) => localTimes ? there(localTimes[i], at) : Date.parse(at) <= Date.now() ? 'due' : relative(at);
  return html`
    ${localTimes && all.length > 0 ? html`<p class="caption">Times in ${zoneName(all[0])}, and in ${zone ?? 'the zone of the job'}</p>` : nothing}
    <ol class="occurrences">${all.slice(first).map((at, i) => html`<li>${paused.has(at) ? html`<s>${exactly(at, false)}</s>` : exactly(at, false)} <span class="quiet">${when(at, first + i)}${paused.has(at) ? ', in a pause' : ''}</span></li>`)}</ol>`;
}

const OUTCOMES = { completed: 'good', failed: 'bad', skipped: 'warn', none: 'quiet' };
const STATES = { enabled: 'quiet', disabled: 'quiet', completed: 'info', faulted: 'bad' };

/** A coloured word; the colour only underlines what the word says. */
export const badge = (word, kind) => html`<span class="badge ${kind}">${word}</span>`;
export const state = word => badge(word, STATES[word] ?? 'quiet');
export const outcome = word => badge(word === 'none' ? 'never ran' : word, OUTCOMES[word] ?? 'quiet');

const LATE = 60_000;

/** Whether a job was disabled because it failed too often: its badge says so, and needs no other. */
export const isStopped = job => job.pause?.reason === 'failures';

/** How a job is: stopped or paused, or else what came of its last attempt, and whether the next is overdue, unless it is retried. */
export function health(job, lastOutcome, isRetried = false) {
  if (isStopped(job)) return badge(job.pause.note, 'bad');
  if (job.state !== 'enabled') return nothing;
  if (job.waits) return badge('paused', 'warn');
  const next = job.status?.nextExecutionTime;
  if (next && !isRetried && Date.now() - new Date(next) > LATE) return html`<span title="due ${relative(next)}">${badge('late', 'warn')}</span>`;
  switch (lastOutcome) {
    case 'completed': return badge('ok', 'good');
    case 'failed': return html`<span title="its last attempt failed">${badge('failing', 'bad')}</span>`;
    case 'skipped': return html`<span title="its last occurrence was skipped">${badge('skipped', 'warn')}</span>`;
    default: return nothing;
  }
}

/** The group in which a page is, where it is not the default: the first step of the way to it. */
export const groupCrumb = place => place.isDefault ? nothing : html`<a href=${place.link('/collections')} class="crumb group">${place.group}</a> `;

/** What went wrong, in the server's words. */
export const problem = failure => failure
  ? html`<div class="problem" role="alert">${failure.message}</div>`
  : nothing;

const NAMED = 20;

/** The damaged jobs that a list leaves out. reasons: why each cannot be read, by its name; linkOf(name): where its page is. */
export function leftOut(reasons, linkOf) {
  if (reasons.size === 0) return nothing;
  const named = [...reasons].slice(0, NAMED);
  return html`<p class="hint">${counted(reasons.size, 'job is', 'jobs are')} damaged in Redis and left out of this list:
    ${named.map(([name, reason], i) => html`${i > 0 ? ', ' : ''}<a href=${linkOf(name)} title=${reason}>${name}</a>`)}${reasons.size > NAMED ? ` and ${number(reasons.size - NAMED)} more` : ''}.</p>`;
}

export const card = (title, content, extra = nothing, classes = '') => html`
  <section class="card ${classes}">
    <header><h2>${title}</h2><div class="extra">${extra}</div></header>
    ${content}
  </section>`;

/** What stands where a page is not there yet. */
export const skeleton = (rows = 6) => html`
  <div class="card skeleton" role="status"><span class="sr">Loading …</span>${Array.from({ length: rows }, () => html`<span></span>`)}</div>`;

/** What became of an attempt, in a line: why there was no answer, or how the answer begins. */
export const gist = attempt => attempt.body === undefined ? attempt.error?.message ?? attempt.message : attempt.body.trim().split('\n', 1)[0] || '–';

/** How far back a list looks, one of some spans in minutes as chips; what the address says besides is one more. choose: told the event of a change. */
export function lookback(chosen, choose, spans = ['15', '60', '1440']) {
  const all = ['', ...spans, ...(chosen === '' || spans.includes(chosen) ? [] : [chosen])];
  return html`<fieldset class="segments"><legend class="sr">Time</legend>${all.map(minutes => html`
    <label title=${minutes === '' ? 'However long ago' : `The last ${span(minutes * 60_000)}`}><input type="radio" name="since" value=${minutes} .checked=${chosen === minutes} @change=${choose}><span>${minutes === '' ? 'any time' : span(minutes * 60_000)}</span></label>`)}</fieldset>`;
}

/** A message in a cell of a table: two lines, and the whole to hover over. */
export const messageCell = (text, columns = 1) => html`<td class="message" colspan=${columns}><div title=${text}>${text}</div></td>`;

/** A button with a spoken and a shown name. */
export const button = (text, onClick, classes = '', disabled = false) =>
  html`<button type="button" class=${classes} ?disabled=${disabled} @click=${onClick}>${text}</button>`;

/** Copies text and tells so for a moment. */
export async function copy(event, text) {
  const pressed = event.currentTarget;
  const before = pressed.textContent;
  await navigator.clipboard?.writeText(text).catch(() => {});
  pressed.dataset.done = 'copied';
  setTimeout(() => { delete pressed.dataset.done; }, 1500);
  return before;
}
