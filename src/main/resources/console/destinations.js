// The hosts that all nodes called in the last minutes: how often, how quickly, how well.

import { html, nothing, svg } from './lit-html.js';
import { get } from './api.js';
import { clock, counted, number, span } from './format.js';
import { empty, firstJob } from './parts.js';
import { link } from './place.js';
import { polling } from './refresh.js';
import { badge, problem, skeleton } from './ui.js';
import { zoneName } from './zone.js';

const EVERY = 5000;
const OTHER = 'other';
const ended = one => one.completed + one.failed;
const share = one => ended(one) === 0 ? 0 : one.failed / ended(one);

/** How the rows may be sorted, by the word in the address. */
const ORDERS = {
  attempts: ['most attempts', ended],
  failed: ['most failures', one => one.failed],
  share: ['largest part failed', share],
  slow: ['slowest', one => one.durationP99 ?? 0],
  inFlight: ['most in flight', one => one.inFlight],
};

const percent = part => part === 0 ? '0 %' : part < 0.01 ? '< 1 %' : `${Math.round(part * 100)} %`;

/** Runs of a destination in this time, as the Runs page lists them. */
const runsOf = one => link(`/runs?${new URLSearchParams({ destination: one.destination, since: '15' })}`);

/** Minutes as little bars, the failed part on top of each. */
function spark(one, from) {
  const minutes = one.completedByMinute.map((completed, i) => ({ completed, failed: one.failedByMinute[i] }));
  const most = Math.max(1, ...minutes.map(minute => minute.completed + minute.failed));
  const size = count => count === 0 ? 0 : Math.max(1.5, count / most * 24);
  return html`<svg class="spark" viewBox="0 0 ${minutes.length * 6} 24" role="img" aria-label="Attempts by the minute, at most ${number(most)}">
    ${minutes.map((minute, i) => {
      const good = size(minute.completed), bad = size(minute.failed);
      return svg`<g><title>${clock(new Date(from).getTime() + i * 60_000)}: ${counted(minute.completed + minute.failed, 'attempt')}, ${number(minute.failed)} failed</title>
        <rect x=${i * 6} y="0" width="6" height="24" class="hover"></rect>
        <rect x=${i * 6 + 0.6} y=${24 - good} width="4.8" height=${good} class="bar"></rect>
        <rect x=${i * 6 + 0.6} y=${Math.max(0, 24 - good - bad)} width="4.8" height=${Math.min(bad, 24 - good)} class="bad"></rect></g>`;
    })}</svg>`;
}

const passed = flow => html`<a class="quiet" href=${link(`/flows/${encodeURIComponent(flow.flow)}`, [flow.subscription, flow.group])}>flow ${flow.flow}</a>
  ${flow.paused ? badge('paused', 'warn') : flow.breaker === 'closed' ? nothing : badge(`breaker ${flow.breaker === 'open' ? 'open' : 'half open'}`, flow.breaker === 'open' ? 'bad' : 'warn')}`;

export function destinations({ update, query }) {
  let found, order = ORDERS[query.get('by')] ? query.get('by') : 'attempts';
  const poll = polling(() => get('/destinations'), answer => { found = answer; }, EVERY, update);

  function sort(event) {
    order = event.target.value;
    history.replaceState(undefined, '', link(order === 'attempts' ? '/destinations' : `/destinations?by=${order}`));
    update();
  }

  const row = (one, total, minutes) => html`
    <tr>
      <td class="name">${one.destination === OTHER ? html`<span class="row">${OTHER}</span><div class="quiet">destinations beyond 200 at a node</div>`
        : html`<a class="row" href=${runsOf(one)}>${one.destination}</a>`}
        ${one.flows.map(flow => html`<div>${passed(flow)}</div>`)}</td>
      <td class="picture">${spark(one, found.from)}</td>
      <td class="num" data-label="Attempts">${one.destination === OTHER ? number(ended(one)) : html`<a href=${runsOf(one)}>${number(ended(one))}</a>`}<div class="quiet">${(ended(one) / minutes).toFixed(ended(one) / minutes < 10 ? 1 : 0)} a minute</div></td>
      <td class="num" data-label="Failed">${one.failed === 0 || one.destination === OTHER ? number(one.failed) : html`<a class="bad-text" href=${runsOf(one)}>${number(one.failed)}</a>`}
        <div class="quiet">${percent(share(one))}</div></td>
      <td class="num" data-label="p50">${one.durationP50 === undefined ? '–' : `≤ ${span(one.durationP50 * 1000)}`}</td>
      <td class="num" data-label="p99">${one.durationP99 === undefined ? '–' : `≤ ${span(one.durationP99 * 1000)}`}</td>
      <td class="num" data-label="In flight">${one.inFlight === 0 ? '0' : html`<a href=${link('/live')}>${number(one.inFlight)}</a>`}</td>
      <td class="num" data-label="Of all">${percent(total === 0 ? 0 : ended(one) / total)}</td></tr>`;

  function table() {
    const total = found.value.reduce((sum, one) => sum + ended(one), 0);
    const failed = found.value.reduce((sum, one) => sum + one.failed, 0);
    const minutes = Math.max(1, (new Date(found.time) - new Date(found.from)) / 60_000);
    const sorted = [...found.value].sort((a, b) => ORDERS[order][1](b) - ORDERS[order][1](a));
    return html`
      <div class="toolbar">
        <label class="tick"><span>Sorted by</span> <select name="by" @change=${sort}>${Object.entries(ORDERS).map(([word, [text]]) =>
          html`<option value=${word} ?selected=${word === order}>${text}</option>`)}</select></label>
        <span class="quiet">${counted(found.value.length, 'destination')}, ${counted(total, 'attempt')}, ${number(failed)} failed</span></div>
      <div class="card scroll"><table class="collections destinations">
        <thead><tr><th scope="col">Destination</th><th scope="col">By the minute</th><th scope="col" class="num">Attempts</th><th scope="col" class="num">Failed</th>
          <th scope="col" class="num">p50</th><th scope="col" class="num">p99</th><th scope="col" class="num">In flight</th><th scope="col" class="num">Of all</th></tr></thead>
        <tbody>${sorted.map(one => row(one, total, minutes))}</tbody>
      </table></div>
      ${found.allDestinations ? nothing : html`<p class="caption">The ${number(found.value.length)} with the most attempts; there are more.</p>`}`;
  }

  return {
    title: 'Destinations',
    close: poll.close,
    view: () => html`
      <div class="head"><h1>Destinations</h1>${found ? html`<span class="quiet">since ${clock(found.from)} ${zoneName(found.from)}</span>` : nothing}</div>
      <p class="caption">Hosts that all nodes called in the last 15 minutes, as each node noted them a few seconds ago. A host leads to its <a href=${link('/runs')}>runs</a>: those that failed, were slow or recovered.</p>
      ${problem(poll.failure)}
      ${found ? found.value.length > 0 ? table()
        : empty('Nothing was called in the last 15 minutes', html`Each host that jobs call gets a row here, unless <code>metrics.enabled</code> is off. A first job that calls one:`, [firstJob()])
        : poll.failure ? nothing : skeleton()}`,
  };
}
