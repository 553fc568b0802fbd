// Jobs whose executions were given up, the newest first, and the way to run them again: one, or all that are selected.

import { html, nothing } from './lit-html.js';
import { call, get, local, open } from './api.js';
import { performOn } from './bulk.js';
import { counted, moment, number } from './format.js';
import { empty } from './parts.js';
import { jobLink, link, placeOf } from './place.js';
import { recoveries, sinceFailure } from './recovered.js';
import { refreshing } from './refresh.js';
import { code } from './runs.js';
import { may } from './session.js';
import { sorting } from './sort.js';
import { badge, button, lookback, problem, skeleton, time } from './ui.js';

const EVERY = 10_000;
const SOON = 1500;
const PAGE = 100;
const LOOKED_AT = 500;
const DRAWN_EVERY = 250;
const FIELDS = ['collection', 'destination', 'code', 'since', 'message'];

const key = one => [one.subscription, one.group, one.collection, one.job].join('/');
const version = one => `${key(one)} ${one.endTime}`; // of a job, by its newest failure
const where = one => [one.subscription, one.group];
const scope = one => `${where(one).join('/')}/${one.collection}`;
const shown = one => `${where(one).join('/') === 'default/default' ? '' : `${where(one).join('/')}/`}${one.collection}/${one.job}`;
const answer = one => one.error?.message ?? one.message;
const path = one => placeOf(where(one)).jobPath(one.collection, one.job);

/** A finished job is retried; one that goes on runs once more, now. What has succeeded since, or is about to run, is not called twice. */
async function again(one) {
  const since = await sinceFailure(path(one));
  if (since !== 'failing') throw new Error(since === 'gone' ? 'is deleted, and was left out' : 'has succeeded since, and was left out');
  const answer = await open('GET', path(one));
  const { state, recurrence, status } = await answer.json();
  if (['completed', 'faulted'].includes(state)) {
    await call('POST', `${path(one)}/retry`, undefined, { headers: { 'If-Match': answer.headers.get('ETag') } }); // a run that was begun meanwhile changed it
    return;
  }
  const next = status?.nextExecutionTime;
  if (state === 'enabled' && !recurrence && (!next || Date.parse(next) <= Date.now())) throw new Error('runs already, and was left out');
  await call('POST', `${path(one)}/run`);
}

/** One row for each job: its newest failure, and how many there are of those that were looked at. */
function byJob(entries) {
  const jobs = new Map();
  for (const one of entries) {
    const known = jobs.get(key(one));
    if (known) known.count++;
    else jobs.set(key(one), { last: one, count: 1 });
  }
  return [...jobs.values()];
}

export function failed({ update, query }) {
  const filter = Object.fromEntries(FIELDS.map(name => [name, query.get(name) ?? '']));
  let entries, looked = 0, next, failure, typing, isClosed = false, latest = 0, wanted = LOOKED_AT, showsRecovered = false, left = new Set();
  const refresh = refreshing(load);
  const selected = new Set(), retried = new Map(), recovered = recoveries();
  const order = sorting({ job: ({ last }) => shown(last), last: ({ last }) => Date.parse(last.endTime), failed: ({ count }) => count }, '', () => !next, update);

  function first() {
    const asked = new URLSearchParams({ state: 'failed', $top: PAGE });
    for (const name of FIELDS) {
      if (filter[name] !== '' && name !== 'message') asked.set(name, name === 'since' ? new Date(Date.now() - filter.since * 60_000).toISOString() : filter[name]);
    }
    return `/executions?${asked}`;
  }

  function take(found, from) {
    entries = found.filter(one => answer(one).toLowerCase().includes(filter.message.toLowerCase()));
    looked = found.length;
    next = from;
  }

  async function load() {
    refresh.stop();
    const mine = ++latest;
    try {
      const found = [];
      let from = first();
      while (from && found.length < wanted && mine === latest && !isClosed) {
        const page = await get(from);
        found.push(...page.value);
        from = page.nextLink && local(page.nextLink);
        if (!entries && from && mine === latest && !isClosed) { // the first page waits for no other
          take(found, from);
          update();
        }
      }
      if (mine !== latest || isClosed) return;
      take(found, from);
      failure = undefined;
      update();
      await lookAt(byJob(entries).map(({ last }) => last), () => mine === latest && !isClosed);
      if (mine !== latest) return;
    } catch (refused) {
      if (mine !== latest) return;
      failure = refused;
    }
    if (isClosed) return;
    update();
    refresh.soon(EVERY);
  }

  /** Marks rows as answers come; they leave when all are there, that no row moves away under a hand. */
  async function lookAt(jobs, goesOn) {
    let drawn = Date.now();
    const heard = () => {
      if (!goesOn() || Date.now() - drawn < DRAWN_EVERY) return;
      drawn = Date.now();
      update();
    };
    await recovered.look(jobs.map(one => ({ path: path(one), failure: one.endTime })), goesOn, heard);
    if (goesOn()) left = new Set(jobs.filter(isOver).map(version));
  }

  const narrow = name => event => {
    filter[name] = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(() => {
      const said = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
      history.replaceState(undefined, '', link(`/failed${said.size > 0 ? `?${said}` : ''}`));
      entries = undefined;
      selected.clear();
      update();
      load();
    }, 250);
  };

  async function retry(jobs) {
    const items = jobs.map(({ last }) => ({ name: shown(last), send: async () => { await again(last); retried.set(key(last), new Date().toISOString()); } }));
    const about = html`<p class="quiet">A finished job is retried, with its counters and history; one that goes on runs once more, now.</p>`;
    if (!await performOn({ verb: 'Retry', done: 'retried' }, items, about)) return;
    selected.clear();
    await load();
    if (isClosed) return;
    refresh.soon(SOON); // what was started has often ended by then
  }

  const since = one => recovered.of(path(one), one.endTime);
  const isOver = one => ['recovered', 'gone'].includes(since(one));
  const isMine = one => !isOver(one) && may('operator', scope(one));
  const toggle = id => { selected.has(id) ? selected.delete(id) : selected.add(id); update(); };

  function toggleAll(jobs) {
    const all = jobs.filter(({ last }) => isMine(last)).map(({ last }) => key(last));
    const isAll = all.every(id => selected.has(id));
    all.forEach(id => isAll ? selected.delete(id) : selected.add(id));
    update();
  }

  const runsOf = one => link(`/runs?${new URLSearchParams({ state: 'failed', collection: scope(one), job: one.job })}`);

  const row = job => {
    const one = job.last, id = key(one);
    return html`
      <tr class=${selected.has(id) ? 'selected' : ''}>
        <td class="check">${isMine(one) ? html`<input type="checkbox" aria-label="Select ${shown(one)}" .checked=${selected.has(id)} @change=${() => toggle(id)}>` : nothing}</td>
        <td class="name"><a class="row" href=${jobLink(one.collection, one.job, where(one))}>${shown(one)}</a>
          <div class="quiet">${one.destination ? html`<a class="quiet" href=${link(`/failed?${new URLSearchParams({ destination: one.destination })}`)}>${one.destination}</a>` : '–'}</div></td>
        <td>${code(one)}</td>
        <td class="message">${answer(one)}</td>
        <td data-label="last">${time(one.endTime)}</td>
        <td class="num" data-label="failed"><a href=${runsOf(one)}>${number(job.count)}${next ? '+' : ''}</a></td>
        <td class="actions">${isOver(one) ? badge(since(one) === 'gone' ? 'deleted' : 'succeeded since', since(one) === 'gone' ? 'quiet' : 'good') : retried.has(id) ? badge(`retried ${moment(retried.get(id)).slice(11)}`, 'info') : nothing}
          ${isMine(one) ? button('Retry', () => retry([job]), 'small') : nothing}</td></tr>`;
  };

  /** What is over is told, and shown to whoever asks. */
  const leftOut = (all, over) => over.length === 0 ? nothing : html`
    <p class="caption">${over.length === all.length ? 'All of these have' : `${counted(over.length, 'further job')} ${over.length === 1 ? 'has' : 'have'}`} succeeded since, or ${over.length === 1 ? 'is' : 'are'} deleted.
      ${button(showsRecovered ? 'Hide' : 'Show', () => { showsRecovered = !showsRecovered; update(); }, 'link')}</p>`;

  function table() {
    const all = byJob(entries), over = all.filter(({ last }) => left.has(version(last)));
    const jobs = showsRecovered ? all : all.filter(({ last }) => !left.has(version(last)));
    if (jobs.length === 0) return html`<section class="card teach"><h2>Nothing fails now</h2>${leftOut(all, over)}</section>${more(all, over)}`;
    const mine = jobs.filter(({ last }) => isMine(last));
    const chosen = jobs.filter(({ last }) => isMine(last) && selected.has(key(last)));
    return html`
      ${leftOut(all, over)}
      ${chosen.length === 0 ? nothing : html`
        <div class="selection" role="region" aria-label="Selection"><strong>${counted(chosen.length, 'job')} selected</strong>
          ${button(`Retry ${counted(chosen.length, 'job')}`, () => retry(chosen), 'primary')}<span class="grow"></span>
          ${button('Clear', () => { selected.clear(); update(); }, 'plain')}</div>`}
      ${order.note()}
      <div class="card scroll"><table class="jobs failed">
        <thead><tr><th scope="col" class="check">${mine.length > 0 ? html`<input type="checkbox" aria-label="Select all shown" .checked=${mine.every(({ last }) => selected.has(key(last)))} @change=${() => toggleAll(jobs)}>` : nothing}</th>
          ${order.header('job', 'Job')}<th scope="col">Code</th><th scope="col">Last answer</th>${order.header('last', 'Last failed', { first: '-last' })}${order.header('failed', 'Failed', { first: '-failed', classes: 'num', by: 'failures' })}<th scope="col"><span class="sr">Actions</span></th></tr></thead>
        <tbody>${order.sorted(jobs).map(row)}</tbody>
      </table></div>
      ${more(all, over)}`;
  }

  /** How many are listed, of those that were found in what was looked at. */
  const more = (all, over = []) => html`
    <p class="caption">${over.length === 0 ? counted(all.length, 'job') : `${number(all.length - over.length)} of ${counted(all.length, 'job')} that failed still fail,`} in the newest ${counted(looked, 'failure')}${next ? '; there are more.' : '.'}</p>
    ${next ? html`<div class="pager">${button('Look at more', () => { wanted = looked + LOOKED_AT; load(); })}</div>` : nothing}`;

  const field = (name, text) => html`<input type="search" aria-label=${text} placeholder=${text} .value=${filter[name]} @input=${narrow(name)} autocomplete="off" spellcheck="false">`;
  const isFiltered = () => FIELDS.some(name => filter[name] !== '');

  load();
  return {
    title: 'Failed',
    close() {
      isClosed = true;
      refresh.stop();
      clearTimeout(typing);
    },
    view: () => html`
      <div class="head"><h1>Failed</h1></div>
      <p class="caption">Jobs whose last attempt for an execution failed, and that have not succeeded since. What fails and is tried again by itself is among the <a href=${link('/runs?state=retrying')}>runs</a>.</p>
      <div class="toolbar" role="search">
        ${lookback(filter.since, narrow('since'))}
        ${field('collection', 'Collection')}${field('destination', 'Host and port')}${field('code', 'Code, as 503 or 5xx')}${field('message', 'Part of the answer')}</div>
      ${problem(failure)}
      ${entries ? entries.length > 0 ? table()
        : isFiltered() ? html`<section class="card teach"><h2>Nothing of this kind failed</h2><p><a href=${link('/failed')}>Everything that failed</a></p></section>${next ? more([]) : nothing}`
        : empty('Nothing has failed', 'An execution whose last attempt fails is listed here, with the code and the answer, and can be tried again. The same as a list:', [`curl -H "Authorization: Bearer $CARILLON_KEY" '${location.origin}/executions?state=failed'`])
        : failure ? nothing : skeleton()}`,
  };
}
