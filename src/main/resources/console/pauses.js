// Pauses of everything and of groups, on each page: who paused, until when and why. Here they are begun, planned and ended.

import { html, nothing } from './lit-html.js';
import { call, get } from './api.js';
import { confirmed } from './dialog.js';
import { counted } from './format.js';
import { pause } from './pause.js';
import { polling } from './refresh.js';
import { may } from './session.js';
import { failed, toast } from './toast.js';
import { button, exactly } from './ui.js';
import { isPlanned } from './waits.js';

const EVERY = 10_000;
const MOST = 3; // groups that a page of no group names
const EVERYTHING = '*';

let known = [], poll;

/** A pause, and the one that is planned after it as another one. */
const each = one => one.planned ? [one, { ...one.planned, for: one.for, name: one.name, isLater: true }] : [one];

/** Begins to ask for the pauses, unless that is done already. */
export function watchPauses(update) {
  poll ??= polling(() => get('/pauses'), ({ value }) => { known = value.flatMap(each); }, EVERY, update);
}

/** Ends it: nobody is signed in. */
export function forgetPauses() {
  poll?.close();
  poll = undefined;
  known = [];
}

const scopeOf = one => one.for === 'group' ? one.name : EVERYTHING;
const current = scope => known.find(one => scopeOf(one) === scope.toLowerCase());

/** The path of a scope. That of the default group is never left out: without it everything is meant. */
const pathOf = scope => scope === EVERYTHING ? '' : `/groups/${scope.split('/').map(encodeURIComponent).join('/')}`;
const title = scope => scope === EVERYTHING ? 'everything' : `group ${scope}`;
const capital = text => text[0].toUpperCase() + text.slice(1);

/** Does something and asks again; whether it was done. */
async function act(what) {
  try {
    await what();
    return true;
  } catch (refused) {
    failed(refused);
    return false;
  } finally {
    poll?.load();
  }
}

async function begin(scope) {
  const before = current(scope);
  const goesOn = before && !isPlanned(before);
  const form = pause({ plans: true });
  const sure = await confirmed(`Pause ${title(scope)}`, html`
    <p>${scope === EVERYTHING ? 'No job of this installation runs' : html`No job of the group <strong>${scope}</strong> runs`} in the pause: one-time jobs and requested runs wait, occurrences of recurring jobs are skipped. Calls in flight end.</p>
    ${before ? html`<p class="quiet">${goesOn ? 'Without a start this replaces the note and the end of the current pause.' : 'A pause from now on keeps the planned one; another planned one replaces it.'}</p>` : nothing}${form.view}`, 'Pause');
  if (!sure || !await act(() => call('POST', `${pathOf(scope)}/pause`, form.body))) return;
  toast(form.body.from ? `The pause of ${title(scope)} is planned.` : `${capital(title(scope))} is paused.`, before ? {} : { undo: () => act(() => call('POST', `${pathOf(scope)}/resume`)) });
}

async function end(one) {
  const scope = scopeOf(one);
  if (await act(() => call('POST', `${pathOf(scope)}/resume`))) toast(isPlanned(one) ? `The planned pause of ${title(scope)} is cancelled.` : `${capital(title(scope))} is resumed.`);
}

/** The button that pauses a group, or everything, for those who may. */
export const pauseButton = (scope = EVERYTHING) => may('operator', scope)
  ? button(current(scope) ? 'Change the pause …' : scope === EVERYTHING ? 'Pause everything …' : 'Pause the group …', () => begin(scope)) : nothing;

const told = one => html`<strong>${capital(title(scopeOf(one)))} ${isPlanned(one) ? 'will be paused' : 'is paused'}</strong> from ${exactly(one.since, false)} until
  ${one.until ? exactly(one.until, false) : 'it is resumed'}, by ${one.by}${one.note ? `: ${one.note}` : nothing}`;

const banner = one => html`<div class="hint banner ${isPlanned(one) ? 'planned' : ''}" role="status">
  <span>${told(one)}</span>
  ${may('operator', scopeOf(one)) && !one.isLater ? button(isPlanned(one) ? 'Cancel' : 'Resume', () => end(one), 'small') : nothing}</div>`;

/** The pauses that a page is to show: that of everything, and those of the groups that isOfPage(name) picks. */
export function pauseBanners(isOfPage) {
  const wide = known.filter(one => scopeOf(one) === EVERYTHING);
  const groups = known.filter(one => scopeOf(one) !== EVERYTHING && isOfPage(one.name));
  const more = groups.length - MOST;
  return html`${[...wide, ...groups.slice(0, MOST)].map(banner)}${more > 0 ? html`<p class="hint" role="status">${counted(more, 'more group has', 'more groups have')} a pause; the pages of their collections show it.</p>` : nothing}`;
}
