// How viewers like a list: the columns that they chose, and filters under names of their own. The browser keeps both, for each
// client that signs in; a saved filter is the address of the list.

import { html, nothing } from './lit-html.js';
import { dialog } from './dialog.js';
import { caller } from './session.js';
import { button } from './ui.js';

const MOST = 50; // filters
const LONGEST = 60; // of a name

const keyOf = what => `carillon.${what}.${caller().client}`;

/** What was kept, as far as it is a list of what is wanted: anybody can write there. */
function read(what, isSound) {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(what)));
    return Array.isArray(kept) ? kept.filter(isSound) : undefined;
  } catch {
    return undefined;
  }
}

const keep = (what, value) => localStorage.setItem(keyOf(what), JSON.stringify(value));

/** Columns that can be chosen. all: [word, text, whether it is shown unless one says otherwise]; changed(word) follows each choice. */
export function columns(list, all, changed) {
  const what = `columns.${list}`;
  const standard = () => all.filter(([, , isShown]) => isShown).map(([word]) => word);
  let chosen = new Set(read(what, word => all.some(([one]) => one === word)) ?? standard());

  function toggle(word) {
    chosen.has(word) ? chosen.delete(word) : chosen.add(word);
    keep(what, [...chosen]);
    changed(word);
  }

  function open() {
    const shown = dialog('Columns', nothing);
    const reset = () => { localStorage.removeItem(keyOf(what)); chosen = new Set(standard()); changed(); draw(); };
    const draw = () => shown.draw(html`<fieldset class="choices"><legend class="sr">Columns that are shown</legend>${all.map(([word, text]) => html`
      <label><input type="checkbox" name=${word} .checked=${chosen.has(word)} @change=${() => toggle(word)}> ${text}</label>`)}</fieldset>`,
    [{ text: 'Reset', act: reset }, { text: 'Done', classes: 'primary', act: close => close() }]);
    draw();
  }

  return {
    has: word => chosen.has(word),
    get count() { return chosen.size; },
    /** Opens the choice. */
    button: () => button('Columns', open, 'plain density'),
  };
}

/** An address as people read it. */
function readable(address) {
  try { return decodeURI(address); } catch { return address; }
}

const isFilter = one => typeof one?.name === 'string' && typeof one.address === 'string' && one.address.startsWith('#/');

/** Saved filters of a list. here() is the address of the filter at hand, undefined where nothing is filtered. */
export function savedFilters(list, here, update) {
  const what = `filters.${list}`;
  let saved = read(what, isFilter) ?? [];

  function change(next) {
    saved = next;
    keep(what, saved);
    update();
  }

  function open() {
    const shown = dialog('Saved filters', nothing);
    const without = name => saved.filter(one => one.name !== name);

    function save(event) {
      event.preventDefault();
      const name = new FormData(event.target).get('filter').trim();
      if (name === '') return;
      change([...without(name), { name, address: here() }].sort((a, b) => a.name.localeCompare(b.name, 'en')));
      event.target.reset();
      draw();
    }

    const form = () => saved.length >= MOST ? html`<p class="quiet">There is room for ${MOST}.</p>` : html`
      <form class="inline" @submit=${save}><label><span class="sr">Name of this filter</span><input name="filter" placeholder="Name of this filter" required maxlength=${LONGEST} autocomplete="off" spellcheck="false"></label><button class="primary">Save</button></form>`;
    const row = ({ name, address }) => html`<li><a href=${address} @click=${shown.close}>${name}</a> <code class="quiet">${readable(address)}</code>
      <button type="button" class="small" aria-label="Remove ${name}" @click=${() => { change(without(name)); draw(); }}>Remove</button></li>`;
    const draw = () => shown.draw(html`
      ${saved.length === 0 ? html`<p class="quiet">None yet. This browser keeps them.</p>` : html`<ul class="saved">${saved.map(row)}</ul>`}
      ${here() ? form() : html`<p class="quiet">Filter or sort the list to save it under a name.</p>`}`);
    draw();
  }

  return { button: () => button(saved.length > 0 ? `Saved filters (${saved.length})` : 'Saved filters', open) };
}
