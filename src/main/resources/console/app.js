// The shell: navigation, the page at hand, who has signed in, keys and theme.

import { html, nothing, render } from './lit-html.js';
import { onSignedOut } from './api.js';
import { closeDialogs, confirmed, dialog } from './dialog.js';
import { audit } from './audit.js';
import { calendar, calendars } from './calendars.js';
import { overview } from './overview.js';
import { collections } from './collections.js';
import { flows } from './flows.js';
import { find } from './find.js';
import { jobs } from './jobs.js';
import { job } from './job.js';
import { change, create } from './edit.js';
import { keys } from './keys.js';
import { live } from './live.js';
import { metrics, nodes } from './nodes.js';
import { runs } from './runs.js';
import { destinations } from './destinations.js';
import { failed } from './failed.js';
import { forecast } from './forecast.js';
import { settings } from './settings.js';
import { problem } from './ui.js';
import { forgetPauses, pauseBanners, watchPauses } from './pauses.js';
import { enter, group, link, placeOf } from './place.js';
import { caller, finishSignIn, hasSignInResponse, identify, may, scopePath, seesPartOf, signOut } from './session.js';
import { signInPage } from './signin.js';
import { toast } from './toast.js';
import { ownZone, showUtc, showsUtc } from './zone.js';

// What the address after # means, and what it may filter by. The first that fits makes the page: { title, view(), close?(), keys? }.
const ROUTES = [
  [/^\/$/, overview, 'overview', ['of']],
  [/^\/collections$/, collections, 'jobs', ['state']],
  [/^\/jobs$/, find, 'find', ['name', 'state', 'lastOutcome', 'label']],
  [/^\/c\/([^/]+)$/, jobs, 'jobs', ['name', 'state', 'lastOutcome', 'label', 'sort']],
  [/^\/c\/([^/]+)\/new$/, create, 'jobs', ['from']],
  [/^\/c\/([^/]+)\/settings$/, settings, 'jobs'],
  [/^\/c\/([^/]+)\/j\/([^/]+)$/, job, 'jobs'],
  [/^\/c\/([^/]+)\/j\/([^/]+)\/edit$/, change, 'jobs'],
  [/^\/runs$/, runs, 'runs', ['state', 'collection', 'job', 'destination', 'code', 'since']],
  [/^\/failed$/, failed, 'failed', ['collection', 'destination', 'code', 'since', 'message']],
  [/^\/destinations$/, destinations, 'destinations', ['by']],
  [/^\/forecast$/, forecast, 'forecast', ['from', 'until']],
  [/^\/live$/, live, 'live', ['collection', 'job', 'status']],
  [/^\/flows$/, flows, 'flows'],
  [/^\/flows\/([^/]+)$/, flows, 'flows'],
  [/^\/calendars$/, calendars, 'calendars'],
  [/^\/calendars\/([^/]+)$/, calendar, 'calendars'],
  [/^\/nodes$/, nodes, 'nodes'],
  [/^\/metrics$/, metrics, 'nodes', ['name']],
  [/^\/keys$/, keys, 'keys'],
  [/^\/audit$/, audit, 'audit', ['of', 'by', 'since']],
];

/** Addresses that whoever knows those of the API guesses, and where they lead. */
const GUESSED = [
  [/^\/jobcollections$/, '/collections'],
  [/^\/(?:job)?collections\/([^/]+)(?:\/jobs)?$/, '/c/$1'],
  [/^\/(?:(?:job)?collections|c)\/([^/]+)\/jobs\/([^/]+)$/, '/c/$1/j/$2'],
  [/^\/executions$/, '/runs'],
];

/** Sections whose pages show one group. */
const OF_A_GROUP = ['jobs', 'find', 'calendars', 'flows'];

/** Whether the page shows what is in this group. The overview lists paused groups itself. */
const isGroupOfPage = name => section !== 'overview' && (!OF_A_GROUP.includes(section) || name === group().toLowerCase());

const anybody = () => true;
/** What is for whoever may read everything. */
const seesAll = () => may('reader', '*');

// In groups: [section, path, text, letter after g, whether the caller may see it].
const NAVIGATION = [
  ['', [['overview', '/', 'Overview', 'o', anybody]]],
  ['Jobs', [
    ['jobs', '/collections', 'Collections', 'c', anybody],
    ['find', '/jobs', 'Find jobs', 'j', anybody],
    ['calendars', '/calendars', 'Calendars', 'd', () => seesPartOf(group())],
    ['flows', '/flows', 'Flows', 'f', () => seesPartOf(group())],
    ['forecast', '/forecast', 'Forecast', 'u', anybody],
  ]],
  ['What ran', [
    ['runs', '/runs', 'Runs', 'r', anybody],
    ['failed', '/failed', 'Failed', 'x', anybody],
    ['destinations', '/destinations', 'Destinations', 'h', seesAll],
    ['live', '/live', 'Live', 'l', anybody],
  ]],
  ['Server', [
    ['nodes', '/nodes', 'Nodes', 'n', seesAll],
    ['keys', '/keys', 'API keys', 'k', () => may('admin', '*')],
    ['audit', '/audit', 'Audit', 'a', () => may('admin', group())],
  ]],
];

/** The groups with what the caller may see of them. */
const offered = () => NAVIGATION.map(([name, pages]) => [name, pages.filter(([, , , , isSeen]) => isSeen())]).filter(([, pages]) => pages.length > 0);

const root = document.getElementById('app');
let page = { view: () => nothing }, section, groupOfPage, unknown = [], known = [], refusedSignIn, isSigningIn = false, isScheduled = false, isMenuOpen = false, prefix = '';

/** Draws again soon; many calls in one turn draw once. */
function update() {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => { isScheduled = false; draw(); });
}

function draw() {
  const focused = document.activeElement;
  redraw();
  if (focused && !focused.isConnected && document.activeElement === document.body) document.getElementById('main').focus({ preventScroll: true }); // keys go on from the page, not from the browser's window
}

function redraw() {
  document.title = [page.title, groupOfPage, 'Carillon'].filter(Boolean).join(' – ');
  render(html`
    <a class="skip" href="#main" @click=${skip}>Skip to content</a>
    <nav aria-label="Main">
      <a class="brand" href="#/" aria-label="Carillon"><img src="/console/icon.svg" alt="" width="26" height="26"><span>Carillon</span></a>
      ${isSigningIn ? nothing : html`
      <button type="button" class="menu" aria-expanded=${isMenuOpen} aria-controls="pages" @click=${() => { isMenuOpen = !isMenuOpen; update(); }}>${pageName()} <span aria-hidden="true">▾</span></button>
      <div class="pages ${isMenuOpen ? 'open' : ''}" id="pages">${offered().map(([name, pages]) => html`
        ${name ? html`<h2 id="nav-${name}">${name}</h2>` : nothing}
        <ul aria-label=${name || 'First'}>${pages.map(([one, path, text, key]) => html`
          <li><a href=${link(path)} aria-current=${section === one ? 'page' : 'false'} title="g ${key}" @click=${() => { isMenuOpen = false; update(); }}>${text}</a></li>`)}</ul>`)}</div>`}
      <div class="tools">
        ${caller().proof === 'session' && !isSigningIn ? html`
          <span class="who" title=${caller().grants.join(', ')}>${caller().client}</span>
          <button type="button" class="plain" @click=${leave}>Sign out</button>` : nothing}
        <button type="button" class="plain zone" @click=${() => { showUtc(!showsUtc()); update(); }} title=${showsUtc() ? `Times are in UTC; show them in ${ownZone()}` : `Times are in ${ownZone()}; show them in UTC`}
          aria-label=${showsUtc() ? 'UTC times' : `Local times, ${ownZone()}`}>${showsUtc() ? 'UTC' : 'Local'}</button>
        <button type="button" class="plain" @click=${nextTheme} title="Light, dark, or as the system" aria-label="Theme: ${themeName()}"><span aria-hidden="true">◐</span><span class="long"> Theme: ${themeName()}</span></button>
        ${page.tools?.() ?? nothing}
        <button type="button" class="plain density" @click=${nextDensity} title="How high rows are" aria-label=${isRoomy() ? 'Roomy rows' : 'Dense rows'}>${isRoomy() ? 'Roomy' : 'Dense'}</button>
        <a class="plain" href="/docs" title="Reference of the API">API</a>
        <button type="button" class="plain keyboard" @click=${help} title="?" aria-label="Keyboard help">?</button>
      </div>
    </nav>
    <main id="main" tabindex="-1">
      ${unknown.length > 0 && !isSigningIn ? ignored() : nothing}
      ${isSigningIn ? nothing : pauseBanners(isGroupOfPage)}
      ${page.view()}
    </main>`, root);
}

/** What the address asks for in vain. */
const ignored = () => html`<p class="hint ignored" role="status">This page does not filter by ${names(unknown)}${known.length > 0 ? html`, only by ${names(known)}` : nothing}: that was ignored.</p>`;
const names = words => words.map((word, i) => html`${i > 0 ? ', ' : ''}<code>${word}</code>`);

const pageName = () => NAVIGATION.flatMap(([, pages]) => pages).find(([one]) => one === section)?.[2] ?? 'Pages';

function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

// --- pages

function route() {
  const [whole, query] = (location.hash.slice(1) || '/').split('?', 2);
  const path = enter(whole);
  const guessed = GUESSED.find(([pattern]) => pattern.test(path));
  if (guessed) {
    location.replace(link(path.replace(...guessed)) + (query ? `?${query}` : ''));
    return;
  }
  const asked = new URLSearchParams(query);
  const found = ROUTES.map(([pattern, make, name, filters = []]) => ({ match: pattern.exec(path), make, name, filters })).find(one => one.match);
  page.close?.();
  closeDialogs();
  isSigningIn = false;
  isMenuOpen = false;
  if (found?.make === overview && !seesPartOf(group()) && ownGroup() && !asked.has('of')) {
    location.replace(link('/', ownGroup()));
    return;
  }
  section = found?.name;
  watchPauses(update);
  known = found?.filters ?? [];
  unknown = found ? [...new Set(asked.keys())].filter(word => !known.includes(word)) : [];
  const place = placeOf();
  groupOfPage = OF_A_GROUP.includes(section) && !place.isDefault ? place.group : undefined;
  page = found
    ? found.make({ update, place, parts: found.match.slice(1).map(decodeURIComponent), query: asked })
    : { title: 'Nothing here', view: () => html`<h1>Nothing is here</h1><p>A collection is at <code>#/c/orders</code>, a job at <code>#/c/orders/j/sync</code>. <a href="#/">Go to the overview</a></p>` };
  draw();
  document.getElementById('main').focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

// --- who has signed in

/** Where somebody who may not see everything begins. */
function ownGroup() {
  return caller().grants.map(grant => scopePath(grant).split('/').slice(0, 2)).find(names => names.length === 2);
}

function askToSignIn(why) {
  if (isSigningIn) return;
  page.close?.();
  closeDialogs();
  forgetPauses();
  isSigningIn = true;
  section = groupOfPage = undefined;
  page = signInPage({ update }, route, why);
  draw();
}

onSignedOut(() => {
  askToSignIn({ reason: caller().proof === 'session' ? 'Your session has ended.' : undefined, refused: refusedSignIn });
  refusedSignIn = undefined;
});

async function leave() {
  try {
    if (await signOut()) return;
  } catch (refused) {
    if (refused.status !== 401) {
      toast(`Your session could not be ended on the server: ${refused.message}`, { kind: 'bad' });
      return;
    }
  }
  askToSignIn({ reason: 'You have signed out.' });
}

/** Signs in by what the issuer answered. That it did not is told by the page that asks to sign in, if there is need. */
async function finish() {
  isSigningIn = true;
  page = { title: 'Sign in', view: () => html`<p class="quiet" role="status">Signing in …</p>` };
  draw();
  await finishSignIn().catch(refused => { refusedSignIn = refused; });
  isSigningIn = false;
  here = location.hash;
}

/** Before the first page: nobody need see what they may not. */
async function begin() {
  if (hasSignInResponse()) await finish();
  try {
    await identify();
  } catch (refused) {
    if (refused.status === 401) return;
    page = { title: 'Carillon', view: () => html`<h1>Carillon</h1>${problem(refused)}<p><a href="#/" @click=${() => location.reload()}>Try again</a></p>` };
    draw();
    return;
  }
  route();
}

// --- theme

const THEMES = ['system', 'light', 'dark'];
const themeName = () => document.documentElement.dataset.theme ?? 'system';

function nextTheme() {
  const next = THEMES[(THEMES.indexOf(themeName()) + 1) % THEMES.length];
  if (next === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem('carillon.theme');
  } else {
    document.documentElement.dataset.theme = next;
    localStorage.setItem('carillon.theme', next);
  }
  update();
}

const isRoomy = () => document.documentElement.dataset.density === 'roomy';

function nextDensity() {
  if (isRoomy()) {
    delete document.documentElement.dataset.density;
    localStorage.removeItem('carillon.density');
  } else {
    document.documentElement.dataset.density = 'roomy';
    localStorage.setItem('carillon.density', 'roomy');
  }
  update();
}

// --- keys

const HELP = [
  ['/', 'Search: on the page, or all jobs'], ['j k', 'Next and previous row'], ['Enter', 'Open the row'], ['x', 'Select the row'], ['n', 'New: job in a collection, key, calendar, flow'], ['e', 'Edit the job'], ['p', 'Pause the live page'], ['u', 'Undo what was done last, while it is offered'], ['Esc', 'Close, leave a field'], ['?', 'This help'],
];

function help() {
  const line = ([key, what]) => html`<div><dt>${key.split(' ').map(k => html`<kbd>${k}</kbd> `)}</dt><dd>${what}</dd></div>`;
  dialog('Keys', html`<div class="columns sides">
    <dl class="keys">${HELP.map(line)}</dl>
    <dl class="keys">${offered().flatMap(([, pages]) => pages).map(([, , text, key]) => line([`g ${key}`, text]))}</dl></div>`);
}

const isTyping = target => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (isTyping(event.target)) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === 'Escape' && isMenuOpen) { isMenuOpen = false; update(); document.querySelector('nav .menu').focus(); return; }
  const key = prefix + event.key;
  prefix = '';
  if (event.key === 'g') prefix = 'g';
  else if (key === '?') help();
  else if (key.startsWith('g')) {
    const to = offered().flatMap(([, pages]) => pages).find(([, , , letter]) => key === 'g' + letter);
    if (to) location.hash = link(to[1]);
  } else if (key === '/') {
    const field = document.querySelector('input[type=search]');
    field?.focus();
    field?.select();
    if (!field) location.hash = link('/jobs');
  } else if (key === 'j' || key === 'k') {
    moveRow(key === 'j' ? 1 : -1);
  } else if (key === 'x') {
    document.activeElement.closest?.('tr')?.querySelector('input[type=checkbox]')?.click();
  } else if (key === 'u') {
    [...document.querySelectorAll('.toast button.link')].at(-1)?.click(); // what was done last
  } else if (!page.keys?.(key)) return;
  event.preventDefault();
});

/** Rows are reached by the link in them, or what else can be pressed there. */
function moveRow(by) {
  const handle = row => row?.querySelector('a.row, button.row') ?? row?.querySelector('a[href], button:not(:disabled)');
  const handles = [...document.querySelectorAll('main tbody tr:not(.detail)')].map(handle).filter(Boolean);
  let row = document.activeElement.closest?.('tr');
  while (row?.classList.contains('detail')) row = row.previousElementSibling;
  const at = handles.indexOf(handle(row));
  handles[Math.max(0, Math.min(handles.length - 1, at + by))]?.focus();
}

/** What was typed and not saved is not lost without a word. */
let here = location.hash;
window.addEventListener('hashchange', async () => {
  if (isSigningIn) return;
  closeDialogs();
  if (page.holds?.() && location.hash !== here) {
    const to = location.hash;
    history.replaceState(undefined, '', here || '#/');
    if (!await confirmed('Leave without saving?', html`<p>What you changed here is lost.</p>`, 'Leave', 'danger')) return;
    page = { view: page.view, close: page.close };
    here = to;
    location.hash = to;
    return;
  }
  here = location.hash;
  route();
});
window.addEventListener('beforeunload', event => { if (page.holds?.()) event.preventDefault(); });
begin();
