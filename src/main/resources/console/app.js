// The shell: navigation, the page at hand, who has signed in, keys and theme.

import { html, nothing, render } from './lit-html.js';
import { onSignedOut } from './api.js';
import { dialog } from './dialog.js';
import { overview } from './overview.js';
import { collections } from './collections.js';
import { flows } from './flows.js';
import { jobs } from './jobs.js';
import { job } from './job.js';
import { change, create } from './edit.js';
import { live } from './live.js';
import { runs } from './runs.js';
import { problem } from './ui.js';
import { enter, link } from './place.js';
import { caller, identify, may, signOut } from './session.js';
import { signInPage } from './signin.js';

// What the address after # means. The first that fits makes the page: { title, view(), close?(), keys? }.
const ROUTES = [
  [/^\/$/, overview, 'overview'],
  [/^\/collections$/, collections, 'jobs'],
  [/^\/c\/([^/]+)$/, jobs, 'jobs'],
  [/^\/c\/([^/]+)\/new$/, create, 'jobs'],
  [/^\/c\/([^/]+)\/j\/([^/]+)$/, job, 'jobs'],
  [/^\/c\/([^/]+)\/j\/([^/]+)\/edit$/, change, 'jobs'],
  [/^\/runs$/, runs, 'runs'],
  [/^\/flows$/, flows, 'flows'],
  [/^\/live$/, live, 'live'],
];

// Of the group at hand.
const NAVIGATION = [
  ['overview', '/', 'Overview', 'o'],
  ['jobs', '/collections', 'Collections', 'c'],
  ['runs', '/runs', 'Runs', 'r'],
  ['flows', '/flows', 'Flows', 'f'],
  ['live', '/live', 'Live', 'l'],
];

/** What is for whoever may read everything. */
const OF_ALL = ['overview', 'live'];

const root = document.getElementById('app');
let page = { view: () => nothing }, section, isSigningIn = false, isScheduled = false, prefix = '';

/** Draws again soon; many calls in one turn draw once. */
function update() {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => { isScheduled = false; draw(); });
}

function draw() {
  document.title = page.title ? `${page.title} – Carillon` : 'Carillon';
  render(html`
    <a class="skip" href="#main" @click=${skip}>Skip to content</a>
    <nav aria-label="Main">
      <a class="brand" href="#/"><img src="/console/icon.svg" alt="" width="26" height="26"><span>Carillon</span></a>
      <ul>${isSigningIn ? nothing : NAVIGATION.filter(([name]) => !OF_ALL.includes(name) || seesAll()).map(([name, path, text, key]) => html`
        <li><a href=${link(path)} aria-current=${section === name ? 'page' : 'false'} title="g ${key}">${text}</a></li>`)}</ul>
      <div class="tools">
        ${caller().proof === 'session' && !isSigningIn ? html`
          <span class="who" title=${caller().grants.join(', ')}>${caller().client}</span>
          <button type="button" class="plain" @click=${leave}>Sign out</button>` : nothing}
        <button type="button" class="plain" @click=${nextTheme} title="Light, dark, or as the system" aria-label="Theme: ${themeName()}"><span class="long">${themeName()}</span><span class="short" aria-hidden="true">◐</span></button>
        <button type="button" class="plain keyboard" @click=${help} title="?" aria-label="Keyboard help">?</button>
      </div>
    </nav>
    <main id="main" tabindex="-1">
      ${page.view()}
    </main>`, root);
}

function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

// --- pages

function route() {
  const [whole, query] = (location.hash.slice(1) || '/').split('?', 2);
  const path = enter(whole);
  const found = ROUTES.map(([pattern, make, name]) => ({ match: pattern.exec(path), make, name })).find(one => one.match);
  page.close?.();
  isSigningIn = false;
  if (found?.make === overview && !seesAll()) {
    location.replace(link('/collections', ownGroup()));
    return;
  }
  section = found?.name;
  page = found
    ? found.make({ update, parts: found.match.slice(1).map(decodeURIComponent), query: new URLSearchParams(query) })
    : { title: 'Nothing here', view: () => html`<h1>Nothing is here</h1><p><a href="#/">Go to the overview</a></p>` };
  draw();
  document.getElementById('main').focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

// --- who has signed in

/** The overview and the live page are for whoever may read everything. */
const seesAll = () => may('reader', '*');

/** Where somebody who may not see everything begins. */
function ownGroup() {
  return caller().grants.map(grant => grant.split(/:(.*)/s)[1].split('/').slice(0, 2)).find(names => names.length === 2);
}

function askToSignIn(reason) {
  if (isSigningIn) return;
  page.close?.();
  isSigningIn = true;
  section = undefined;
  page = signInPage({ update }, route, reason);
  draw();
}

onSignedOut(() => askToSignIn(caller().proof === 'session' ? 'Your session has ended.' : undefined));

async function leave() {
  await signOut().catch(() => {});
  askToSignIn('You have signed out.');
}

/** Before the first page: nobody need see what they may not. */
async function begin() {
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
const themeName = () => ({ light: 'Light', dark: 'Dark' })[document.documentElement.dataset.theme] ?? 'System';

function nextTheme() {
  const next = THEMES[(THEMES.indexOf(themeName().toLowerCase()) + 1) % THEMES.length];
  if (next === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem('carillon.theme');
  } else {
    document.documentElement.dataset.theme = next;
    localStorage.setItem('carillon.theme', next);
  }
  update();
}

// --- keys

const HELP = [
  ['g o', 'Overview'], ['g c', 'Collections and jobs'], ['g r', 'Runs'], ['g f', 'Flows'], ['g l', 'Live'], ['/', 'Search'],
  ['j k', 'Next and previous row'], ['Enter', 'Open the row'], ['x', 'Select the row'], ['n', 'New job, in a collection'], ['e', 'Edit the job'], ['p', 'Pause the live page'], ['Esc', 'Close, leave a field'], ['?', 'This help'],
];

function help() {
  dialog('Keys', html`<dl class="keys">${HELP.map(([key, what]) => html`<div><dt>${key.split(' ').map(k => html`<kbd>${k}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>`);
}

const isTyping = target => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (isTyping(event.target)) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const key = prefix + event.key;
  prefix = '';
  if (event.key === 'g') prefix = 'g';
  else if (key === '?') help();
  else if (key.startsWith('g')) {
    const to = NAVIGATION.find(([, , , letter]) => key === 'g' + letter);
    if (to) location.hash = link(to[1]);
  } else if (key === '/') {
    const field = document.querySelector('input[type=search]');
    if (!field) return;
    field.focus();
    field.select();
  } else if (key === 'j' || key === 'k') {
    moveRow(key === 'j' ? 1 : -1);
  } else if (key === 'x') {
    document.activeElement.closest?.('tr')?.querySelector('input[type=checkbox]')?.click();
  } else if (!page.keys?.(key)) return;
  event.preventDefault();
});

/** Rows are reached by the link in them. */
function moveRow(by) {
  const links = [...document.querySelectorAll('main tbody a.row')];
  const at = links.indexOf(document.activeElement.closest?.('tr')?.querySelector('a.row'));
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

window.addEventListener('hashchange', () => { if (!isSigningIn) route(); });
begin();
