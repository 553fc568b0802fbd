// All collections, with how many jobs each has; here they are made, opened, closed and deleted.

import { html, nothing } from './lit-html.js';
import { call, get, local } from './api.js';
import { confirmed } from './dialog.js';
import { counted, number } from './format.js';
import { aside } from './parts.js';
import { pause } from './pause.js';
import { pauseButton } from './pauses.js';
import { link } from './place.js';
import { refreshing } from './refresh.js';
import { may } from './session.js';
import { range, sorting } from './sort.js';
import { failed, toast, withdraw } from './toast.js';
import { badge, button, problem, skeleton, time } from './ui.js';
import { isPlanned, said } from './waits.js';

const SIDE_BY_SIDE = 4;
const EVERY = 5000;
const RECOUNT = 30_000; // each count asks all partitions
const STATES = ['enabled', 'disabled', 'completed', 'faulted'];

export function collections({ update, place, query }) {
  const { collectionPath, collectionLink } = place;
  const wanted = STATES.find(state => state === query.get('state'));
  const isWriter = may('writer', place.group);
  let page, failure, note, trail = [], counts = new Map(), countedAt = 0, latest = 0, isClosed = false;
  const refresh = refreshing(() => load(page?.path, page?.from, true));

  const jobsOf = state => one => counts.get(one.name)?.[state];
  const order = sorting({ name: one => one.name.toLowerCase(), ...Object.fromEntries(STATES.map(state => [state, jobsOf(state)])) }, '', () => !page?.nextLink && trail.length === 0, update);

  async function load(path = `${place.base}?$top=50`, from = 0, isQuiet = false) {
    const mine = ++latest;
    refresh.stop();
    try {
      const found = await get(path);
      if (mine !== latest || isClosed) return;
      const names = found.value.map(one => one.name);
      page = { path, from, ...found };
      failure = undefined;
      count(isQuiet && Date.now() - countedAt < RECOUNT ? names.filter(name => !counts.has(name)) : names);
    } catch (refused) {
      if (mine !== latest || isClosed) return;
      failure = refused;
    }
    refresh.soon(EVERY);
    update();
  }

  /** Some at a time: each asks all partitions. */
  async function count(names) {
    const waiting = [...names];
    if (names.length > 0) countedAt = Date.now();
    const work = async () => {
      while (waiting.length > 0 && !isClosed) {
        const name = waiting.shift();
        const found = await get(`${collectionPath(name)}/search?$top=1`).catch(() => undefined);
        if (found) counts.set(name, found.counts);
        update();
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  }

  async function act(what) {
    try {
      await what();
      note = undefined;
      await load(page.path, page.from);
      return true;
    } catch (refused) {
      note = refused;
      update();
      return false;
    }
  }

  /** Takes back what was done to a collection. */
  const undo = (one, what, body) => () => call('POST', `${collectionPath(one.name)}/${what}`, body).then(() => toast('Undone.'), failed).then(() => isClosed ? undefined : load(page.path, page.from));

  function move(event) {
    event.preventDefault();
    location.hash = link('/collections', new FormData(event.target).get('place').trim().split('/'));
  }

  async function create(event) {
    event.preventDefault();
    const form = event.target;
    const name = new FormData(form).get('name').trim();
    await act(async () => {
      await call('PUT', collectionPath(name), {}, { headers: { 'If-None-Match': '*' } });
      form.reset();
      if (!isClosed) location.hash = collectionLink(name);
    });
  }

  async function remove(one) {
    const all = counts.get(one.name);
    const jobs = all ? Object.values(all).reduce((sum, count) => sum + count, 0) : undefined;
    const sure = await confirmed('Delete a collection',
      html`<p>Delete <strong>${place.title(one.name)}</strong> and ${jobs === undefined ? 'all its jobs' : counted(jobs, 'job')}? This cannot be undone.</p>`,
      jobs ? `Delete ${counted(jobs, 'job')}` : 'Delete', 'danger');
    if (!sure || !await act(() => call('DELETE', collectionPath(one.name)))) return;
    withdraw(collectionPath(one.name));
    toast(`${one.name} deleted.`);
  }

  async function disable(one) {
    const said = pause({ plans: true });
    const sure = await confirmed('Disable a collection', html`<p>The jobs of <strong>${place.title(one.name)}</strong> do not run until it is enabled.</p>${said.view}`, 'Disable');
    if (sure && await act(() => call('POST', `${collectionPath(one.name)}/disable`, said.body))) toast(said.body.from ? `The pause of ${one.name} is planned.` : `${one.name} disabled.`, { undo: undo(one, 'enable'), about: [collectionPath(one.name)] });
  }

  async function enable(one) {
    if (await act(() => call('POST', `${collectionPath(one.name)}/enable`))) toast(one.state === 'enabled' ? `The planned pause of ${one.name} is cancelled.` : `${one.name} enabled.`, { undo: undo(one, 'disable', { note: one.pause?.note, from: one.state === 'enabled' ? one.pause?.since : undefined, until: one.pause?.until }), about: [collectionPath(one.name)] });
  }

  const jobsIn = (one, state) => `${collectionLink(one.name)}?state=${state}`;
  /** Those that may have jobs in the wanted state: all until they are counted. */
  const shown = () => wanted ? page.value.filter(one => counts.get(one.name)?.[wanted] !== 0) : page.value;

  const row = one => {
    const all = counts.get(one.name);
    const cell = state => html`<td class="num" data-label=${state}>${all ? all[state] === 0 ? '0' : html`<a href=${jobsIn(one, state)}>${number(all[state])}</a>` : html`<span class="quiet">…</span>`}</td>`;
    return html`<tr>
      <td class="name"><a class="row" href=${wanted ? jobsIn(one, wanted) : collectionLink(one.name)}>${one.name}</a></td>
      <td class="gate">${badge(one.state, one.state === 'enabled' ? 'good' : 'warn')}
        ${one.pause ? html`<span class="quiet">${isPlanned(one.pause) ? 'will be disabled' : 'since'} ${time(one.pause.since)} ${said(one.pause)}</span>` : nothing}
        ${one.waits ? html`${badge('paused', 'warn')} <span class="quiet">with ${one.waits.for === 'group' ? 'its group' : 'everything'}</span>` : nothing}</td>
      ${STATES.map(cell)}
      <td class="actions"><a class="button small" href="${collectionLink(one.name)}/settings">Settings</a> ${may('operator', place.scope(one.name)) ? html`${one.state === 'enabled' ? button('Disable', () => disable(one), 'small') : button('Enable', () => enable(one), 'small')}${one.state === 'enabled' && one.pause ? html` ${button('Cancel the pause', () => enable(one), 'small')}` : nothing}` : nothing}
        ${isWriter ? button('Delete', () => remove(one), 'small') : nothing}</td></tr>`;
  };

  load();
  return {
    title: 'Collections',
    close() { isClosed = true; refresh.stop(); },
    view: () => html`
      <div class="head"><h1>Collections</h1>
        ${aside(false, html`<form class="inline place" @submit=${move}>
          <label><span class="sr">Subscription and group, with a slash between</span><input name="place" .value=${place.group} required pattern="[^\\/]+/[^\\/]+" title="subscription/group" autocomplete="off" spellcheck="false"></label>
          <button>Go</button>
        </form>`)}
        <span class="grow"></span>
        ${pauseButton(place.group)}
        ${isWriter ? html`<form class="inline" @submit=${create}>
          <label><span class="sr">Name of a new collection</span><input name="name" placeholder="New collection" required autocomplete="off" spellcheck="false"></label>
          <button>Create</button>
        </form>` : nothing}</div>
      ${problem(failure)}${problem(note)}
      ${wanted ? html`<p class="caption">Collections with jobs that are ${wanted}; each leads to these jobs. <a href=${place.link('/collections')}>All collections</a></p>` : nothing}
      ${!page ? failure ? nothing : skeleton() : page.value.length === 0 ? html`
        <div class="card empty"><h2>There is no collection yet.</h2><p>Jobs live in collections. Name one above, or:</p>
          <pre tabindex="0" aria-label="Command">curl -X PUT ${location.origin}${place.base}/orders -H 'Content-Type: application/json' -d '{}'</pre></div>` : html`
        ${order.note()}
        <div class="card scroll"><table class="collections">
          <thead><tr>${order.header('name', 'Name', { first: '-name' })}<th scope="col">State</th>${STATES.map(state =>
            order.header(state, state === 'enabled' ? 'Enabled jobs' : state[0].toUpperCase() + state.slice(1), { first: `-${state}`, classes: 'num' }))}<th scope="col"><span class="sr">Actions</span></th></tr></thead>
          <tbody>${shown().length > 0 ? order.sorted(shown()).map(row) : html`<tr><td colspan="7" class="quiet">No job of the collections on this page is ${wanted}.</td></tr>`}</tbody>
        </table></div>
        <div class="pager">
          ${trail.length > 0 || page.nextLink ? html`<span class="quiet">${range(page.from, page.value.length, page.nextLink ? undefined : page.from + page.value.length)}</span>` : nothing}
          ${trail.length > 0 ? button('← Back', () => { const { path, from } = trail.pop(); load(path, from); }) : nothing}
          ${page.nextLink ? button('More →', () => { trail.push({ path: page.path, from: page.from }); load(local(page.nextLink), page.from + page.value.length); }) : nothing}
        </div>`}`,
  };
}
