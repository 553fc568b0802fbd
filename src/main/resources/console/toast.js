// What has just been done, told in a corner for some seconds, with a way back where there is one.

import { html, nothing, render } from './lit-html.js';

const SHORT = 5000, LONG = 10_000;
let shown = [];
let next = 0;

/** The page stays where it is, and its readers hear of it: the region is there before the first note. */
const region = document.createElement('div');
region.className = 'toasts';
region.setAttribute('role', 'status');
region.setAttribute('aria-live', 'polite');
document.body.append(region);

function draw() {
  render(html`${shown.map(one => html`
    <div class="toast ${one.kind}"><span>${one.text}</span>
      ${one.undo ? html`<button type="button" class="link" @click=${() => { drop(one); one.undo(); }}>Undo</button>` : nothing}
      <button type="button" class="plain" aria-label="Dismiss" @click=${() => drop(one)}>✕</button></div>`)}`, region);
}

function drop(one) {
  shown = shown.filter(other => other !== one);
  draw();
}

/** Tells what was done; undo, if given, is offered for as long as the note stands. about: paths of what undo would change. */
export function toast(text, { undo, kind = '', about = [] } = {}) {
  const one = { id: next++, text, undo, kind, about };
  shown = [...shown.slice(-2), one];
  draw();
  const end = () => { if (region.matches(':hover, :focus-within')) setTimeout(end, 1000); else drop(one); };
  setTimeout(end, undo ? LONG : SHORT);
}

/** Nothing can be undone any more of what is deleted, and of what was in it. path: of it. */
export function withdraw(path) {
  const isGone = one => one === path || one.startsWith(`${path}/`);
  shown.filter(one => one.undo && one.about.length > 0 && one.about.every(isGone)).forEach(drop);
}

/** Tells that what was asked for failed. */
export const failed = refused => toast(refused.message, { kind: 'bad' });
