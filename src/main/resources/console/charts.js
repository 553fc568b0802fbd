// Pictures made of bars, as SVG without a library. Sizes are in units of the view box: no style
// attribute is needed, which the content security policy would refuse.

import { html, svg, nothing } from './lit-html.js';
import { clock, counted, inFull, moment, number, span } from './format.js';
import { link } from './place.js';
import { ahead, zoneName } from './zone.js';

const HEIGHT = 100;

/**
 * Bars for successive spans of time.
 * bars: [{ value, part?, title, to? }], part being the share of value that is drawn in another colour, to where a click on it leads.
 * marks: [{ at, text }], labels below, at a number of bars from the left. kind: the class of the rest.
 */
export function bars(label, bars, marks, kind = 'bar') {
  const most = Math.max(1, ...bars.map(bar => bar.value));
  const rect = (x, from, size, kind) => size === 0 ? nothing
    : svg`<rect x=${x + 0.1} y=${HEIGHT - from - size} width="0.8" height=${size} class=${kind}></rect>`;
  const height = value => value === 0 ? 0 : Math.max(1.5, value / most * HEIGHT);
  return html`
    <figure class="bars">
      <div class="scale" aria-hidden="true">max ${number(most)}</div>
      <svg viewBox="0 0 ${bars.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
        ${marks.filter(mark => mark.strong).map(mark => svg`<rect x=${mark.at - 0.05} y="0" width="0.1" height=${HEIGHT} class="mark"></rect>`)}
        ${bars.map((bar, i) => {
          const whole = height(bar.value);
          const part = bar.part ? Math.max(1.5, whole * bar.part / bar.value) : 0;
          return svg`<g class=${bar.to && bar.value > 0 ? 'leads' : ''} @click=${() => { if (bar.to && bar.value > 0) location.hash = bar.to; }}><title>${bar.title}</title><rect x=${i} y="0" width="1" height=${HEIGHT} class="hover"></rect>
            ${rect(i, 0, Math.max(0, whole - part), kind)}${rect(i, Math.max(0, whole - part), part, 'bad')}</g>`;
        })}
      </svg>
      <svg class="axis" aria-hidden="true">
        ${marks.map(mark => svg`<text x="${Math.min(100, mark.at / bars.length * 100)}%" y="13"
          text-anchor=${mark.at / bars.length < 0.03 ? 'start' : mark.at / bars.length > 0.95 ? 'end' : 'middle'} class=${mark.strong ? 'strong' : ''}>${mark.text}</text>`)}
      </svg>
    </figure>`;
}

/** Jobs that are due, each at its next occurrence: one bar for each span, with the hours below and midnight marked. */
export function due(name, spans) {
  const from = new Date(spans.from).getTime();
  const width = spans.widthSeconds * 1000;
  const total = spans.counts.reduce((sum, count) => sum + count, 0);
  const length = spans.counts.length;
  const step = width * length > 4 * 3600_000 ? 3 * 3600_000 : 10 * 60_000;
  const marks = [];
  const shift = ahead(from); // whole hours by the viewer's clocks
  for (let at = Math.ceil((from + shift) / step) * step - shift; at <= from + width * length; at += step) {
    marks.push({ at: (at - from) / width, text: clock(at), strong: clock(at) === '00:00' });
  }
  const peak = spans.counts.indexOf(Math.max(...spans.counts));
  const label = `${name}: ${counted(total, 'job')} due`
    + (total > 0 ? `, most at ${clock(from + peak * width)} (${number(spans.counts[peak])})` : '');
  const jobsDue = (begin, end) => link(`/forecast?${new URLSearchParams({ from: new Date(begin).toISOString(), until: new Date(end).toISOString() })}`);
  return html`${bars(label, spans.counts.map((count, i) => ({
    value: count,
    to: jobsDue(from + i * width, from + (i + 1) * width),
    title: `${moment(from + i * width).slice(0, 16)} to ${clock(from + (i + 1) * width)} ${zoneName(from)}: ${number(count)}`,
  })), marks)}<p class="caption">${total === 0 ? 'Nothing is due.' : html`<a href=${jobsDue(from, from + length * width)}>${counted(total, 'job')} due</a>, most at <a href=${jobsDue(from + peak * width, from + (peak + 1) * width)}>${clock(from + peak * width)} (${number(spans.counts[peak])})</a>`}</p>`;
}

/** What was done in each minute, the failed attempts in another colour. */
export function done(spans) {
  const from = new Date(spans.from).getTime();
  const width = spans.widthSeconds * 1000;
  const all = spans.completed.map((count, i) => ({ failed: spans.failed[i], value: count + spans.failed[i], at: from + i * width }));
  const marks = all.flatMap(({ at }, i) => at % 600_000 === 0 ? [{ at: i, text: clock(at), strong: clock(at) === '00:00' }] : []);
  const sum = of => all.reduce((total, one) => total + one[of], 0);
  const text = sum('value') === 0 ? 'No attempts.' : `${counted(sum('value'), 'attempt')}, ${number(sum('failed'))} failed`;
  const runs = { all: link('/runs?since=60'), failed: link('/runs?state=failed&since=60') };
  return html`${bars(`Last hour: ${text}`, all.map(one => ({
    value: one.value, part: one.failed, to: one.failed > 0 ? runs.failed : runs.all,
    title: `${clock(one.at)} ${zoneName(one.at)}: ${counted(one.value, 'attempt')}, ${number(one.failed)} failed`,
  })), marks, 'done')}
    <p class="caption">${sum('value') === 0 ? text : html`<a href=${runs.all}>${counted(sum('value'), 'attempt')}</a>, ${sum('failed') === 0 ? '0 failed' : html`<a href=${runs.failed}>${number(sum('failed'))} failed</a>`}`}${spans.latenessP50 === undefined ? nothing
      : html`; began late by p50 <strong>${span(spans.latenessP50 * 1000)}</strong>, p99 <strong>${span(spans.latenessP99 * 1000)}</strong>`}</p>`;
}

/** What a logarithmic scale of spans may end at and has lines for, in ms. */
const SPANS = [10, 100, 1000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000];
const ZERO = 65, UP = 60, DOWN = 30; // of a height of 100

/** A scale that ends with the first of some spans that is not exceeded; size(ms): how far along that is, 0 to 1. */
function scale(longest, least) {
  const end = SPANS.find(ms => ms >= Math.max(longest, least)) ?? longest;
  const size = ms => Math.min(1, Math.log10(Math.max(1, ms)) / Math.log10(end));
  const lines = SPANS.filter(ms => ms < end).reverse().reduce((kept, ms) => size(kept.at(-1)) - size(ms) < 0.2 || size(ms) < 0.2 ? kept : [...kept, ms], [end]);
  return { end, size, lines };
}

/** Arrow keys go from cell to cell of a picture; only one of its cells is a stop of the tab key. */
export function walk(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -Number(event.currentTarget.dataset.columns), ArrowDown: Number(event.currentTarget.dataset.columns), Home: -Infinity, End: Infinity }[event.key];
  if (!by) return;
  const cells = [...event.currentTarget.querySelectorAll('.cell:is(a, button)')];
  const at = cells.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  const to = cells[Math.max(0, Math.min(cells.length - 1, at + by))];
  cells[at].tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

/**
 * A history as a picture, oldest on the left: how long each attempt took (upwards) and how late it began (downwards), both on
 * logarithmic scales. An attempt is told beside it while the pointer or the focus is there.
 */
export function timeline(entries, chosen, choose) {
  const shown = [...entries].reverse().map(entry => ({
    ...entry,
    took: new Date(entry.endTime) - new Date(entry.startTime),
    late: entry.retryCount === 0 ? Math.max(0, new Date(entry.startTime) - new Date(entry.expectedExecutionTime)) : 0,
  }));
  const most = of => Math.max(0, ...shown.map(entry => entry[of]));
  const up = scale(most('took'), 100), down = scale(most('late'), 1000);
  const width = Math.max(20, shown.length);
  const line = (ms, y) => [y, span(ms).replace('.0 ', ' ')];
  const lines = [...up.lines.map(ms => line(ms, ZERO - up.size(ms) * UP)), [ZERO, '0'], line(down.end, ZERO + DOWN)];
  const told = entry => `${inFull(entry.startTime)}, ${entry.status}, took ${span(entry.took)}${entry.retryCount > 0 ? `, retry ${entry.retryCount}` : `, ${span(entry.late)} late`}`;
  const key = (kind, text) => html`<span class="key"><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" class=${kind}></rect></svg>${text}</span>`;
  return html`
    <figure class="timeline">
      <svg class="scale" aria-hidden="true">${lines.map(([y, text]) => svg`<text x="100%" y="${y}%" dy="4" text-anchor="end">${text}</text>`)}</svg>
      <div class="plot">
        <svg viewBox="0 0 ${width} 100" preserveAspectRatio="none" aria-hidden="true">
          ${lines.map(([y]) => svg`<rect x="0" y=${y - 0.25} width=${width} height="0.5" class="mark"></rect>`)}
          ${shown.map((entry, i) => {
            const above = Math.max(2, up.size(entry.took) * UP), below = entry.late > 0 ? Math.max(2, down.size(entry.late) * DOWN) : 0;
            return svg`
              <rect x=${i + 0.12} y=${ZERO - 0.5 - above} width="0.76" height=${above} class="is-${entry.status} ${entry.retryCount > 0 ? 'retry' : ''}"></rect>
              <rect x=${i + 0.12} y=${ZERO + 0.5} width="0.76" height=${below} class="late"></rect>`;
          })}
        </svg>
        <div class="attempts" role="group" @keydown=${walk}
          aria-label="Timeline of ${counted(shown.length, 'attempt')}: ${number(shown.filter(e => e.status === 'failed').length)} failed">
          ${shown.map((entry, i) => html`<button type="button" class="cell ${entry.id === chosen ? 'chosen' : ''} ${i < width / 2 ? '' : 'right'}" tabindex=${i === shown.length - 1 ? 0 : -1}
            aria-label=${told(entry)} aria-expanded=${entry.id === chosen} data-told=${told(entry)} @click=${() => choose(entry.id)}></button>`)}
          ${Array.from({ length: width - shown.length }, () => html`<span></span>`)}
        </div>
      </div>
      <div class="ends caption"><time datetime=${shown[0].startTime}>${inFull(shown[0].startTime)}</time>${shown.length > 1 ? html`<time datetime=${shown.at(-1).startTime}>${inFull(shown.at(-1).startTime)}</time>` : nothing}</div>
      <figcaption class="caption">${key('is-completed', 'completed, up: how long it took')}${key('is-failed', 'failed')}${shown.some(e => e.status === 'skipped') ? key('is-skipped', 'skipped') : nothing}${shown.some(e => e.retryCount > 0) ? key('is-failed retry', 'lighter: a retry') : nothing}${key('late', 'down: how late it began')}</figcaption>
    </figure>`;
}

/**
 * The newest attempts of a job as little bars, the newest on the right: how long each took (on a logarithmic scale), coloured by
 * how it went. attempts: [{ startTime, status, durationMs }], newest first; most: for how many there is room.
 */
export function recent(attempts = [], most) {
  if (attempts.length === 0) return nothing;
  const shown = [...attempts].reverse();
  const failed = shown.filter(one => one.status === 'failed').length;
  const size = ms => Math.min(24, 4 + Math.log10(Math.max(1, ms)) * 4);
  return html`<svg class="spark" viewBox="0 0 ${most * 6} 24" role="img" aria-label="Last ${counted(shown.length, 'attempt')}: ${number(failed)} failed">
    ${shown.map((one, i) => {
      const x = (most - shown.length + i) * 6, height = size(one.durationMs);
      return svg`<g><title>${inFull(one.startTime)}: ${one.status}, took ${span(one.durationMs)}</title><rect x=${x} y="0" width="6" height="24" class="hover"></rect>
        <rect x=${x + 0.6} y=${24 - height} width="4.8" height=${height} class="is-${one.status}"></rect></g>`;
    })}</svg>`;
}

/** Six weeks of days, Monday first, the fuller the darker. days: [{ date, count }]. */
export function calendar(days, classes = '', from = Date.now()) {
  const DAY = 24 * 3600_000;
  const counts = new Map(days.map(day => [day.date, day.count]));
  const first = days.length > 0 ? Math.max(from, new Date(days[0].date).getTime()) : from;
  const today = Math.floor(first / DAY) * DAY;
  const start = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY;
  const most = Math.max(1, ...days.map(day => day.count));
  const cells = Array.from({ length: 42 }, (_, i) => {
    const date = new Date(start + i * DAY).toISOString().slice(0, 10);
    const count = counts.get(date) ?? 0;
    const heat = count === 0 ? 0 : Math.ceil(Math.log(count + 1) / Math.log(most + 1) * 4);
    return { date, count, heat, isPast: start + i * DAY < Math.floor(from / DAY) * DAY };
  });
  const weeks = Array.from({ length: 6 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
  return html`
    <table class="calendar ${classes}">
      <caption class="sr">Occurrences by day</caption>
      <thead><tr>${['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map(day => html`<th scope="col">${day}</th>`)}</tr></thead>
      <tbody>${weeks.map(week => html`<tr>${week.map(cell => html`
        <td class="heat-${cell.heat} ${cell.isPast ? 'past' : ''}" title="${cell.date}: ${counted(cell.count, 'occurrence')}">
          <span class="day">${cell.date.endsWith('-01') ? cell.date.slice(5) : Number(cell.date.slice(8))}</span>
          ${cell.count > 0 ? html`<span class="count">${cell.count >= 10000 ? '10k+' : number(cell.count)}</span>` : nothing}
        </td>`)}</tr>`)}</tbody>
    </table>`;
}
