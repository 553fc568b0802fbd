// The same for many jobs: asked about with the count before, told how far it is, and stopped when
// one likes. What fails is listed; the rest goes on.

import { html, nothing } from './lit-html.js';
import { call, get, local } from './api.js';
import { confirmed, dialog } from './dialog.js';
import { counted, number } from './format.js';
import { pause } from './pause.js';
import { failed, toast, withdraw } from './toast.js';
import { button, copy } from './ui.js';

const SIDE_BY_SIDE = 6;
const MOST = 10_000;
const SHOWN = 5;
const UNDONE = 100;

const ACTIONS = {
  run: { verb: 'Run', done: 'started', send: path => call('POST', `${path}/run`) },
  retry: { verb: 'Retry', done: 'retried', send: path => call('POST', `${path}/retry`) },
  enable: { verb: 'Enable', done: 'enabled', send: path => call('POST', `${path}/enable`) },
  disable: { verb: 'Disable', done: 'disabled', send: (path, said) => call('POST', `${path}/disable`, said) },
  delete: { verb: 'Delete', done: 'deleted', classes: 'danger', send: path => call('DELETE', path) },
};

const named = names => html`<p class="quiet">${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ` and ${number(names.length - SHOWN)} more` : ''}</p>`;

/** What takes an action back, for a job as it was; nothing where it cannot be. */
const BACK = {
  enable: job => job?.state === 'disabled' ? path => call('POST', `${path}/disable`, { note: job.pause?.note, until: job.pause?.until }) : undefined,
  disable: job => job?.state === 'enabled' ? path => call('POST', `${path}/enable`) : undefined,
};

/** Undoes it for the jobs that were changed, if each is known as it was. */
function back(action, pathOf, changed, known, done) {
  const ways = changed.filter(name => known.has(name)).map(name => [name, BACK[action]?.(known.get(name))]);
  if (!BACK[action] || ways.length < changed.length || !ways.some(([, way]) => way)) return undefined;
  return async () => {
    const all = await Promise.allSettled(ways.filter(([, way]) => way).map(([name, way]) => way(pathOf(name))));
    const wrong = all.find(one => one.status === 'rejected');
    if (wrong) failed(wrong.reason);
    else toast('Undone.');
    done();
  };
}

/**
 * Asks, does, and tells; false when nothing was done. The jobs are those of a collection in the group place, whatever
 * page is shown meanwhile. What can be undone is for a while: known has the jobs as they were, by name, and undone() is
 * called after that.
 */
export function perform(action, place, collection, names, known = new Map(), undone = () => {}) {
  const pathOf = name => place.jobPath(collection, name);
  const { send, ...words } = ACTIONS[action];
  const said = action === 'disable' ? pause() : undefined;
  const one = async name => {
    await send(pathOf(name), said?.body);
    if (action === 'delete') withdraw(pathOf(name));
  };
  return performOn(words, names.map(name => ({ name, path: pathOf(name), send: () => one(name) })),
    html`<p class="quiet">In ${place.title(collection)}.</p>${said?.view ?? nothing}${action === 'delete' ? html`<p>This cannot be undone.</p>` : nothing}`,
    changed => changed.length <= UNDONE ? back(action, pathOf, changed, known, undone) : undefined);
}

/** The same to any jobs. items: [{ name, path?, send() }]; undo gives what takes it back for those that were changed, if anything does. */
export async function performOn({ verb, done, classes }, items, about = nothing, undo = () => undefined) {
  const names = items.map(item => item.name), paths = new Map(items.map(item => [item.name, item.path]));
  const undone = changed => ({ undo: undo(changed), about: changed.map(name => paths.get(name)).filter(Boolean) });
  const isOne = names.length === 1, all = counted(names.length, 'job'), what = isOne ? names[0] : all;
  const sure = await confirmed(`${verb} ${what}?`, html`${isOne ? nothing : named(names)}${about}`, isOne ? verb : `${verb} ${what}`, classes ?? 'primary');
  if (!sure) return false;

  let finished = 0, isStopped = false, isOver = false;
  const failures = [], changed = [];
  const waiting = [...items];
  const stop = [{ text: 'Stop', act: () => { isStopped = true; draw(); } }], end = [{ text: 'Close', act: close => close() }];
  const shown = dialog(`${verb} ${what}`, nothing, stop);
  shown.closed.then(() => { isStopped = true; }); // also by Escape, or by another page
  /** Which failed and why: the first while it goes on, all of them when it is over. */
  const told = () => html`
    <ul class="failures" tabindex="0" aria-label="Failed">${failures.slice(0, isOver ? failures.length : SHOWN).map(one => html`<li><code>${one.name}</code> ${one.message}</li>`)}</ul>
    ${isOver && failures.length > SHOWN ? html`<p>${button('Copy', event => copy(event, failures.map(one => `${one.name}\t${one.message}`).join('\n')), 'small')}</p>` : nothing}`;
  const draw = () => shown.draw(html`
    <progress max=${names.length} value=${finished + failures.length} aria-label="Progress"></progress>
    <p role="status">${number(finished)} of ${number(names.length)} ${done}${failures.length > 0 ? html`, <strong class="bad-text">${number(failures.length)} failed</strong>` : nothing}.
      ${isStopped ? waiting.length === 0 ? nothing : html`Stopped: ${counted(waiting.length, 'job')} ${waiting.length === 1 ? 'was' : 'were'} left as ${waiting.length === 1 ? 'it was' : 'they were'}.` : nothing}</p>
    ${failures.length > 0 ? told() : nothing}`, isStopped || isOver ? end : stop);
  let drawing;
  const drawSoon = () => { drawing ??= requestAnimationFrame(() => { drawing = undefined; draw(); }); };
  draw();
  const work = async () => {
    while (waiting.length > 0 && !isStopped) {
      const { name, send } = waiting.shift();
      try {
        await send();
        finished++;
        changed.push(name);
      } catch (refused) {
        failures.push({ name, message: refused.message });
      }
      drawSoon();
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  isOver = true;
  draw();
  if (failures.length === 0 && waiting.length === 0) shown.close();
  if (waiting.length > 0) toast(`Stopped: ${number(changed.length)} of ${all} ${done}${failures.length > 0 ? `, ${number(failures.length)} failed` : ''}.`, undone(changed));
  else if (changed.length > 0) toast(`${changed.length === 1 ? changed[0] : counted(changed.length, 'job')} ${done}.`, undone(changed));
  return true;
}

/** The names of everything that a search finds, up to so many; undefined when one stopped it. */
export async function gather(path, take = () => {}) {
  let isStopped = false;
  const names = [];
  const shown = dialog('Selecting', nothing, [{ text: 'Stop', act: close => { isStopped = true; close(); } }]);
  try {
    for (let next = path; next && names.length < MOST && !isStopped;) {
      shown.draw(html`<p role="status">${counted(names.length, 'job')} found …</p>`);
      const page = await get(local(next));
      page.value.forEach(hit => take(hit.job));
      names.push(...page.value.map(hit => hit.job.id));
      next = page.nextLink;
      if (next && names.length >= MOST) {
        shown.draw(html`<p>There are more than ${number(MOST)}; the first ${number(MOST)} are selected.</p>`);
        return names.slice(0, MOST);
      }
    }
  } catch (refused) {
    shown.draw(html`<p role="alert">${refused.message}</p>`);
    return undefined;
  }
  shown.close();
  return isStopped ? undefined : names;
}
