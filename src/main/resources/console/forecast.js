// What was in the last hour, and what comes: the next day by the minute, the next week by the hour. Each cell leads to its list.

import { html, nothing } from './lit-html.js';
import { get } from './api.js';
import { walk } from './charts.js';
import { clock, counted, inFull, moment, number } from './format.js';
import { empty, firstJob } from './parts.js';
import { jobLink, link } from './place.js';
import { polling } from './refresh.js';
import { may } from './session.js';
import { card, problem, skeleton, time } from './ui.js';
import { waiting } from './waits.js';
import { zoneName } from './zone.js';

const EVERY = 10_000;
const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The least and the most of some counts, apart from those that are nothing. */
const range = counts => {
  const some = counts.filter(count => count > 0);
  return { least: Math.min(...some), most: Math.max(0, ...some) };
};

/** How dark a cell is, 0 to 4: between the least and the most, on a logarithmic scale. */
const heat = (count, { least, most }) => count === 0 ? 0 : most === least ? 2
  : Math.max(1, Math.min(4, 1 + Math.round(Math.log(Math.max(0, count - least) + 1) / Math.log(most - least + 1) * 3)));

const legend = ({ least, most }, unit) => html`<p class="caption">${most === 0 ? nothing
  : most === least ? `${counted(most, 'occurrence')} in each ${unit} that has a colour.`
  : html`The palest ${unit} has ${counted(least, 'occurrence')}, the darkest ${number(most)}.`}</p>`;
const iso = instant => new Date(instant).toISOString();

const isPartial = (end, complete) => complete !== undefined && end > complete;
const inPause = paused => paused > 0 ? `, and ${number(paused)} in a pause` : '';
const atLeast = (count, isPart, paused = 0) => `${counted(count, 'occurrence')}${isPart ? ' at least' : ''}${inPause(paused)}`;

/** The occurrences of spans that lie in no pause, and how many lie in one. */
const running = ({ counts, paused = [] }) => ({ counts: counts.map((count, i) => count - (paused[i] ?? 0)), paused: counts.map((_, i) => paused[i] ?? 0) });
const sumOf = (counts, from, until) => counts.slice(Math.max(0, from), until).reduce((a, b) => a + b, 0);

/** The address of this page with a time whose jobs are listed. */
const of = (from, until) => link(`/forecast?from=${iso(from)}&until=${iso(until)}`.replaceAll(':', '%3A'));

export function forecast({ update, query }) {
  const from = query.get('from'), until = query.get('until');
  const seesAll = may('reader', '*'); // the last hour is told of all jobs together
  let found, done, jobs, maps;
  const poll = polling(() => Promise.all([
    take('/forecast', answer => { found = answer; }),
    seesAll ? take('/overview', answer => { done = answer.done; }) : undefined,
    from && until ? take(`/forecast/jobs?${new URLSearchParams({ from, until })}`, answer => { jobs = answer; }) : undefined,
  ]), () => {}, EVERY, update);

  /** Draws an answer when it is there: none waits for another. */
  async function take(path, use) {
    use(await get(path));
    if (!poll.isClosed) update();
  }

  const isChosen = (begin, end) => from && Date.parse(from) === begin && Date.parse(until) === end;

  /** Until when the figures are complete; undefined when all of them are. */
  const complete = () => found.completeUntil && Date.parse(found.completeUntil);

  /** What a row has together, which leads to its jobs. */
  const total = (from, until, name, count, paused) => html`<a class="sum" href=${of(from, until)} aria-label="${name}: ${atLeast(count, isPartial(until, complete()), paused)}">${number(count)}${isPartial(until, complete()) ? '+' : ''}</a>`;

  /** A cell that leads to the jobs of its time. */
  function cell(begin, width, count, paused, scale, isFirst, isPast = false, isPart = isPartial(begin + width, complete())) {
    if (isPast) return html`<span class="cell past" title="${inFull(begin)} is past"></span>`;
    const text = `${inFull(begin)}: ${atLeast(count, isPart, paused)}`;
    return html`<a class="cell heat-${heat(count, scale)} ${isPart ? 'partial' : ''} ${paused > 0 ? 'paused' : ''} ${isChosen(begin, begin + width) ? 'chosen' : ''}" tabindex=${isFirst ? 0 : -1}
      href=${of(begin, begin + width)} title=${text} aria-label=${text}></a>`;
  }

  /** An hour in each row, a minute in each column. */
  function day(spans) {
    const start = Date.parse(spans.from);
    const { counts, paused } = running(spans);
    const scale = range(counts.slice(1)); // of this minute some is over
    const shift = Math.floor((start % HOUR) / MINUTE);
    const rows = Array.from({ length: Math.ceil((counts.length + shift) / 60) }, (_, row) => row);
    return html`
      <div class="heatmap minutes" role="group" aria-label="The next 24 hours by the minute" data-columns="60" @keydown=${walk}>
        ${rows.map(row => {
          const hour = start - shift * MINUTE + row * HOUR;
          const sum = of => sumOf(of, row * 60 - shift, row * 60 - shift + 60);
          return html`<span class="of">${clock(hour)}</span><div class="cells">${Array.from({ length: 60 }, (_, minute) => {
            const i = row * 60 + minute - shift;
            return i < 0 || i >= counts.length ? html`<span class="cell none"></span>` : cell(start + i * MINUTE, MINUTE, counts[i], paused[i], scale, i === 0);
          })}</div>${total(Math.max(start, hour), Math.min(hour + HOUR, start + counts.length * MINUTE), clock(hour), sum(counts), sum(paused))}`;
        })}
        <span class="of"></span><div class="ticks" aria-hidden="true">${['00', '15', '30', '45'].map(text => html`<span>:${text}</span>`)}</div><span></span>
      </div>${legend(scale, 'minute')}`;
  }

  /** A day in each row, an hour in each column. */
  function week(spans) {
    const start = Date.parse(spans.from);
    const { counts, paused } = running(spans);
    const now = Math.floor(Date.now() / HOUR) * HOUR;
    const first = counts.findIndex((_, i) => start + i * HOUR >= now);
    const whole = counts.slice(first + 1);
    const scale = range(whole.some(count => count > 0) ? whole : counts); // of this hour some is over
    return html`
      <div class="heatmap hours" role="group" aria-label="The next seven days by the hour" data-columns="24" @keydown=${walk}>
        <span class="of"></span><div class="ticks" aria-hidden="true">${['00', '06', '12', '18'].map(text => html`<span>${text}</span>`)}</div><span></span>
        ${Array.from({ length: 7 }, (_, row) => {
          const midnight = start + row * DAY;
          const sum = of => sumOf(of, row * 24, row * 24 + 24);
          return html`<span class="of">${DAYS[new Date(midnight).getUTCDay()]} ${iso(midnight).slice(8, 10)}</span>
            <div class="cells">${Array.from({ length: 24 }, (_, hour) => {
              const i = row * 24 + hour;
              return cell(midnight + hour * HOUR, HOUR, counts[i], paused[i], scale, i === first, midnight + hour * HOUR < now);
            })}</div>${total(Math.max(midnight, now), midnight + DAY, iso(midnight).slice(0, 10), sum(counts), sum(paused))}`;
        })}
      </div>${legend(scale, 'hour')}`;
  }

  /** Thousands of cells, drawn once for each answer and zone. */
  function drawn() {
    if (maps?.of !== found || maps.zone !== zoneName()) maps = { of: found, zone: zoneName(), day: day(found.day), week: week(found.week) };
    return maps;
  }

  /** The last hour, a minute in each cell; red where attempts failed. */
  function past(spans) {
    const start = Date.parse(spans.from);
    const all = spans.completed.map((completed, i) => ({ completed, failed: spans.failed[i], at: start + i * MINUTE }));
    const scale = range(all.slice(0, -1).map(one => one.completed + one.failed)); // the last minute is not over
    const sum = of => all.reduce((total, one) => total + one[of], 0);
    const runs = one => link(`/runs?since=${one.at > Date.now() - 15 * MINUTE ? 15 : 60}`);
    return html`
      <div class="heatmap minutes" role="group" aria-label="The last hour by the minute" data-columns="60" @keydown=${walk}>
        <span class="of">${clock(start)}</span><div class="cells">${all.map((one, i) => {
          const text = `${clock(one.at)} ${zoneName(one.at)}: ${counted(one.completed + one.failed, 'attempt')}, ${number(one.failed)} failed`;
          return html`<a class="cell ${one.failed > 0 ? 'failed' : ''} heat-${heat(one.completed + one.failed, scale)}" tabindex=${i === 0 ? 0 : -1} href=${runs(one)} title=${text} aria-label=${text}></a>`;
        })}</div><a class="sum" href=${link('/runs?since=60')}>${number(sum('completed') + sum('failed'))}</a></div>
      <p class="caption">${counted(sum('completed') + sum('failed'), 'attempt')} of all nodes, ${sum('failed') === 0 ? 'none failed' : html`<a class="bad-text" href=${link('/failed?since=60')}>${number(sum('failed'))} failed</a>: minutes with a red edge`}.</p>`;
  }

  const names = one => `${one.subscription}/${one.group}` === 'default/default' ? '' : `${one.subscription}/${one.group}/`;
  const list = () => card(`${moment(from).slice(0, 16)} to ${Date.parse(until) - Date.parse(from) > DAY ? moment(until).slice(0, 16) : clock(until)} ${zoneName(until)}`, jobs.jobs === 0
    ? html`<p class="quiet">No job runs in this time.</p>`
    : html`<p class="caption">${counted(jobs.occurrences, 'occurrence')} of ${counted(jobs.jobs, 'job')}${jobs.paused > 0 ? `, ${number(jobs.paused)} of them in a pause` : ''}${jobs.jobs > jobs.value.length ? `; the first ${number(jobs.value.length)}` : ''}${jobs.notLookedAt > 0 ? `; there was no time to look at ${counted(jobs.notLookedAt, 'further job')}` : ''}${isPartial(Date.parse(until), complete()) ? `; of the ${number(found.jobs)} jobs that run next, there are more` : ''}.</p>
      <div class="scroll"><table class="jobs">
        <thead><tr><th scope="col">First</th><th scope="col">Job</th><th scope="col" class="num">Times</th><th scope="col">Schedule</th></tr></thead>
        <tbody>${jobs.value.map(one => html`<tr><td>${moment(one.first).slice(11)}</td>
          <td class="name"><a class="row" href=${jobLink(one.collection, one.job, [one.subscription, one.group])}>${names(one)}${one.collection}/${one.job}</a></td>
          <td class="num">${number(one.count)}${one.paused > 0 ? html` <span class="quiet">${number(one.paused)} in a pause</span>` : nothing}</td><td class="words">${one.schedule}${one.waits ? html` <span class="quiet">waits: ${waiting(one.waits)}</span>` : nothing} <span class="quiet">${time(one.first)}</span></td></tr>`)}</tbody>
      </table></div>`, html`<a href=${link('/forecast')}>Close</a>`, 'listed');

  const view = () => html`
    ${jobs ? list() : nothing}
    ${found.notLookedAt > 0 ? html`<p class="caption">There was no time to look at ${counted(found.notLookedAt, 'further job')}: their schedules are not included.</p>` : nothing}
    ${found.completeUntil ? html`<p class="warning partial" role="note">Complete until ${inFull(found.completeUntil)}, from the schedules of the next ${counted(found.jobs, 'job')}.
      ${found.others > 0 ? html`Some ${number(found.others)} further ${found.others === 1 ? 'job runs' : 'jobs run'} then or later, and ${found.others === 1 ? 'is' : 'are'} not counted` : 'Later there are more occurrences than are counted'}: hatched cells, and sums with a +, have more.
      The <a href=${link('/collections')}>collection</a> shows when a job runs next${seesAll ? html`, and the <a href=${link('/')}>overview</a> how many jobs are due in each quarter of an hour` : nothing}.</p>` : nothing}
    ${seesAll ? card('Last hour, by the minute', done ? past(done) : skeleton(2)) : nothing}
    ${card('Next 24 hours, by the minute', drawn().day)}
    ${card('Next 7 days, by the hour (UTC)', drawn().week)}
    <p class="caption">${found.completeUntil ? nothing : html`From the schedules of ${counted(found.jobs, 'job')}, all that will run.`} Retries and runs by hand are not included.${found.week.paused || found.day.paused ? ' Cells with a line below have occurrences in a pause, which neither colours nor sums count.' : ''} The rows of the week are days of UTC.</p>`;

  return {
    title: 'Forecast',
    close: poll.close,
    view: () => html`
      <div class="head"><h1>Forecast</h1></div>
      ${problem(poll.failure)}
      ${found && (done || !seesAll || found.jobs > 0) ? found.jobs === 0 && !found.completeUntil && (!done || [done.completed, done.failed].every(counts => counts.every(count => count === 0)))
          ? empty('Nothing will run', 'This page shows the number of occurrences for each minute of the next day and each hour of the next week. A first job:', [firstJob()])
          : view()
        : poll.failure ? nothing : html`${skeleton(8)}${skeleton(4)}`}`,
  };
}
