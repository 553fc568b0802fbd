// Jobs of all collections of a group that the viewer may read: by a part of the name, by state, last outcome and labels.

import { html, nothing } from './lit-html.js';
import { get, local } from './api.js';
import { number, target } from './format.js';
import { filterOf, labels } from './labels.js';
import { refreshing } from './refresh.js';
import { searching } from './searching.js';
import { range } from './sort.js';
import { button, groupCrumb, health, isStopped, leftOut, problem, skeleton, state, time, upcoming } from './ui.js';
import { waitsCell } from './waits.js';

const TOP = 50;
const TYPING = 250;
const EVERY = 5000;
const SHARE = 20; // so many times as long as a search takes nobody searches again
const STATES = ['enabled', 'disabled', 'completed', 'faulted'];
const OUTCOMES = [['completed', 'last completed'], ['failed', 'last failed'], ['skipped', 'last skipped'], ['none', 'never ran']];

export function find({ update, place, query }) {
  const filter = { name: query.get('name') ?? '', state: query.get('state') ?? '', lastOutcome: query.get('lastOutcome') ?? '', label: query.get('label') ?? '' };
  const search = ({ label = '', ...wanted }) => `${place.searchPath}?${new URLSearchParams([...Object.entries({ ...wanted, $filter: filterOf(label) }).filter(([, value]) => value !== ''), ['$top', TOP]])}`;
  const { first, behind, isNew } = searching(search, filter);
  const refresh = refreshing(() => load(page.path, page.from, true));
  const isAsked = () => Object.values(filter).some(value => value !== '');
  let page, failure, isLoading = false, trail = [], typing, latest = 0, isClosed = false;

  /** A page may come back short although there is more: the search goes on until it is full or over. */
  async function load(path = first(), from = 0, isQuiet = false) {
    const mine = ++latest, begun = Date.now(), isMine = () => mine === latest && !isClosed;
    refresh.stop();
    isLoading = !isQuiet;
    update();
    try {
      const found = { path, from, value: [], damaged: new Map(), nextLink: path };
      while (found.nextLink && found.value.length < TOP && isMine()) {
        const asked = found.nextLink, more = await get(asked);
        found.value.push(...more.value.filter(({ job }) => isNew(asked, job)));
        more.damaged?.forEach(({ name, reason }) => found.damaged.set(name, reason));
        found.nextLink = more.nextLink ? local(more.nextLink) : behind(asked);
        if (isMine() && !isQuiet) { page = { ...found }; update(); }
      }
      if (isMine()) page = found;
      failure = undefined;
    } catch (refused) {
      failure = refused;
    }
    if (!isMine()) return;
    isLoading = false;
    refresh.soon(Math.max(EVERY, SHARE * (Date.now() - begun)));
    update();
  }

  function anew() {
    const asked = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
    history.replaceState(null, '', place.link(`/jobs${asked.size > 0 ? `?${asked}` : ''}`));
    trail = [];
    if (isAsked()) { load(); return; }
    latest++;
    refresh.stop();
    page = undefined;
    isLoading = false;
    update();
  }

  function type(event) {
    filter.name = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(anew, TYPING);
  }

  const choose = field => event => { filter[field] = event.target.value; anew(); };
  const option = (field, word, text) => html`<option value=${word} ?selected=${filter[field] === word}>${text}</option>`;

  const row = ({ collection, job, schedule, lastOutcome }) => html`
    <tr>
      <td class="name"><a class="row" href=${place.jobLink(collection, job.id)} title=${target(job.action)}>${collection}/${job.id}</a>${labels(job, place.collectionLink(collection))}
        <div class="quiet target">${target(job.action)}</div></td>
      <td class="states">${isStopped(job) ? nothing : state(job.state)} ${health(job, lastOutcome, false)}</td>
      <td class="words" title=${schedule}><div>${schedule}</div></td>
      <td data-label=${job.waits ? nothing : 'next'}>${job.waits ? waitsCell(job.waits, place) : upcoming(job.status?.nextExecutionTime)}</td>
      <td data-label="last">${job.status?.lastExecutionTime ? time(job.status.lastExecutionTime) : html`<span class="quiet">never ran</span>`}</td>
      <td class="num" data-label="runs">${number(job.status?.executionCount ?? 0)}</td>
    </tr>`;

  const none = () => html`<tr><td colspan="6" class="quiet">${isLoading ? 'Searching …' : trail.length > 0 ? 'No further job matches.' : 'No job matches.'}</td></tr>`;

  if (isAsked()) load();
  else requestAnimationFrame(() => isClosed || document.querySelector('main input[type=search]')?.focus());
  return {
    title: 'Find jobs',
    close() { isClosed = true; clearTimeout(typing); refresh.stop(); },
    view: () => html`
      <div class="head"><h1>${groupCrumb(place)}Find jobs</h1></div>
      <div class="toolbar" role="search">
        <input type="search" aria-label="A part of the name" placeholder="A part of the name  ( / )" .value=${filter.name} @input=${type} autocomplete="off" spellcheck="false">
        <select aria-label="State" @change=${choose('state')}>${option('state', '', 'any state')}${STATES.map(word => option('state', word, word))}</select>
        <select aria-label="Last outcome" @change=${choose('lastOutcome')}>${option('lastOutcome', '', 'any outcome')}${OUTCOMES.map(([word, text]) => option('lastOutcome', word, text))}</select>
        <input aria-label="Labels" placeholder="team=billing" .value=${filter.label} @change=${event => { filter.label = event.target.value.trim(); anew(); }} autocomplete="off" spellcheck="false">
        <span class="quiet" role="status">${isLoading ? 'searching …' : ''}</span>
      </div>
      ${problem(failure)}
      ${!isAsked() ? html`<div class="card empty"><h2>Jobs of all collections</h2>
          <p>Type a part of a name, or choose a state, an outcome or labels. Jobs come by collection and name, those whose name begins so first.</p></div>`
        : !page ? failure ? nothing : skeleton(10) : html`
        ${leftOut(page.damaged, name => place.jobLink(...name.split('/')))}
        <div class="card scroll"><table class="jobs found">
          <thead><tr><th scope="col">Job</th><th scope="col">State</th><th scope="col">Schedule</th><th scope="col">Next</th><th scope="col">Last</th><th scope="col" class="num">Runs</th></tr></thead>
          <tbody>${page.value.length > 0 ? page.value.map(row) : none()}</tbody>
        </table></div>
        <div class="pager">
          <span class="quiet">${range(page.from, page.value.length, page.nextLink ? undefined : page.from + page.value.length)}</span>
          ${trail.length > 0 ? button('← Back', () => { const { path, from } = trail.pop(); load(path, from); }) : nothing}
          ${page.nextLink ? button('More →', () => { trail.push({ path: page.path, from: page.from }); load(page.nextLink, page.from + page.value.length); }) : nothing}
        </div>`}`,
  };
}
