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

/**
 * A history as a picture, oldest on the left: how long each attempt took (upwards, on a logarithmic
 * scale) and how late it began (downwards).
 */
export function timeline(entries, chosen, choose) {
  const shown = [...entries].reverse();
  const log = ms => ms <= 1 ? 2 : Math.min(60, 2 + Math.log10(ms) * 12);
  return html`
    <figure class="timeline">
      <svg viewBox="0 0 ${Math.max(20, shown.length)} 100" preserveAspectRatio="none" role="img"
        aria-label="Timeline of ${counted(shown.length, 'attempt')}: ${number(shown.filter(e => e.status === 'failed').length)} failed">
        <rect x="0" y="64.75" width=${Math.max(20, shown.length)} height="0.5" class="mark"></rect>
        ${shown.map((entry, i) => {
          const took = new Date(entry.endTime) - new Date(entry.startTime);
          const late = entry.retryCount === 0 ? Math.max(0, new Date(entry.startTime) - new Date(entry.expectedExecutionTime)) : 0;
          const up = log(took), down = late > 0 ? Math.min(34, Math.log10(late + 1) * 7) : 0;
          return svg`<g class=${entry.id === chosen ? 'chosen' : ''} @click=${() => choose(entry.id)}>
            <title>${inFull(entry.startTime)}, ${entry.status}, took ${span(took)}${entry.retryCount > 0 ? `, retry ${entry.retryCount}` : `, ${span(late)} late`}</title>
            <rect x=${i} y="0" width="1" height="100" class="hover"></rect>
            <rect x=${i + 0.12} y=${64.5 - up} width="0.76" height=${up} class="is-${entry.status} ${entry.retryCount > 0 ? 'retry' : ''}"></rect>
            <rect x=${i + 0.12} y="65.5" width="0.76" height=${down} class="late"></rect></g>`;
        })}
      </svg>
      <figcaption class="caption">Oldest on the left. Up: how long an attempt took (logarithmic); down: how late it began. Retries are lighter.</figcaption>
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
