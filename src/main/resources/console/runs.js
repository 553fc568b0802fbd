// Executions of all jobs that failed, were slow or recovered; filters in the address, newest first.

import { html, nothing } from './lit-html.js';
import { get, local } from './api.js';
import { span } from './format.js';
import { jobLink, link } from './place.js';
import { polling } from './refresh.js';
import { range } from './sort.js';
import { badge, button, exactly, lookback, messageCell, problem, skeleton } from './ui.js';

const EVERY = 5000;
const PAGE = 50;
const RUNNING = 'running', OF_RUNNING = ['state', 'collection', 'job']; // what else narrows the log says nothing of calls in flight
const STATES = { running: 'info', failed: 'bad', retrying: 'warn', slow: 'info', completed: 'good' };
const FIELDS = ['state', 'collection', 'job', 'destination', 'code', 'since'];

/** The status of an answer, red where it is no success. */
export const code = one => one.statusCode === undefined
  ? html`<span class="quiet">${one.error?.code ?? '–'}</span>`
  : html`<span class=${one.statusCode >= 400 ? 'bad-text' : ''}>${one.statusCode}</span>`;

export function runs({ update, query }) {
  const filter = Object.fromEntries(FIELDS.map(name => [name, query.get(name) ?? '']));
  let entries, nextLink, typing;

  const isRunning = () => filter.state === RUNNING;

  function path() {
    const asked = new URLSearchParams({ $top: PAGE });
    for (const name of FIELDS) {
      if (filter[name] === '' || (isRunning() && !OF_RUNNING.includes(name))) continue;
      asked.set(name, name === 'since' ? new Date(Date.now() - filter.since * 60_000).toISOString() : filter[name]);
    }
    return `/executions?${asked}`;
  }

  const poll = polling(() => get(path()), page => {
    if (!entries || entries.length <= PAGE) { entries = page.value; nextLink = page.nextLink; }
  }, EVERY, update);

  async function more() {
    const page = await get(local(nextLink));
    entries = [...entries, ...page.value];
    nextLink = page.nextLink;
    update();
  }

  const narrow = name => event => {
    filter[name] = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(() => {
      const said = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
      history.replaceState(undefined, '', link(`/runs${said.size > 0 ? `?${said}` : ''}`));
      entries = undefined;
      poll.load();
    }, 250);
  };

  const field = (name, text) => html`<input type="search" aria-label=${text} placeholder=${text} .value=${filter[name]} @input=${narrow(name)} autocomplete="off" spellcheck="false">`;
  const where = one => [one.subscription, one.group];
  const shown = one => where(one).join('/') === 'default/default' ? '' : `${where(one).join('/')}/`;
  const row = one => html`
    <tr>
      <td>${exactly(one.endTime ?? one.startTime, false)}</td>
      <td class="status">${badge(one.state, STATES[one.state] ?? 'quiet')}</td>
      <td>${code(one)}</td>
      <td class="name"><a class="row" href=${jobLink(one.collection, one.job, where(one))}>${shown(one)}${one.collection}/${one.job}</a></td>
      <td>${one.destination ?? '–'}</td>
      <td class="num" data-label="took">${one.durationMs === undefined ? isRunning() ? span(Math.max(0, Date.now() - Date.parse(one.startTime))) : '–' : span(one.durationMs)}</td>
      <td class="num" data-label="attempt">${one.attempt ?? '–'}</td>
      ${messageCell(one.message ?? `in flight on ${one.node}`)}</tr>`;

  return {
    title: 'Runs',
    close() {
      poll.close();
      clearTimeout(typing);
    },
    view: () => html`
      <div class="head"><h1>Runs</h1></div>
      <p class="caption">Attempts that failed, were slow, or succeeded after failures, of all jobs. All attempts are here where <code>executions.recorded</code> is <code>all</code>.</p>
      <div class="toolbar" role="search">
        <select aria-label="State" @change=${narrow('state')}>${['', ...Object.keys(STATES)].map(word => html`<option value=${word} ?selected=${filter.state === word}>${word || 'any state'}</option>`)}</select>
        ${lookback(filter.since, narrow('since'))}
        ${field('collection', 'Collection')}${filter.collection ? field('job', 'Job') : nothing}${field('destination', 'Host and port')}${field('code', 'Code, as 503 or 5xx')}
      </div>
      ${isRunning() ? html`<p class="caption">Attempts that all nodes have in flight now, the oldest first; only a collection and a job narrow them.</p>` : nothing}
      ${problem(poll.failure)}
      ${!entries ? poll.failure ? nothing : skeleton(10) : entries.length === 0 ? html`
        <div class="card empty"><h2>Nothing of this kind.</h2><p>${Object.values(filter).some(Boolean) ? isRunning() ? 'No attempt is in flight.' : 'Remove a filter, or choose a longer time.' : 'No attempt has failed, been slow or recovered. Let a job fail, and see it here:'}</p>
          ${Object.values(filter).some(Boolean) ? nothing : html`<pre tabindex="0" aria-label="Command">curl -X PUT ${location.origin}/jobcollections/default/jobs/fails -H 'Content-Type: application/json' \\
  -d '{"action": {"type": "http", "request": {"method": "GET", "uri": "http://127.0.0.1:9/"}, "retryPolicy": {"retryType": "none"}}}'</pre>`}</div>` : html`
      <div class="card scroll"><table class="history runs">
        <thead><tr><th scope="col">${isRunning() ? 'Began' : 'Ended'}</th><th scope="col">State</th><th scope="col">Code</th><th scope="col">Job</th><th scope="col">Destination</th>
          <th scope="col" class="num">Took</th><th scope="col" class="num">Attempt</th><th scope="col">Message</th></tr></thead>
        <tbody>${entries.map(row)}</tbody>
      </table></div>`}
      ${nextLink ? html`<div class="pager"><span class="quiet">${range(0, entries.length)}</span>${button('More', more)}</div>` : nothing}`,
  };
}
