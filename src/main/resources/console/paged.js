// A list that the server answers page by page: the page at hand, the way back and on.

import { html, nothing } from './lit-html.js';
import { get, local } from './api.js';
import { range } from './sort.js';
import { button } from './ui.js';

/** first: the path of the first page. Draws again by update() whenever something has changed. */
export function paged(update, first) {
  let trail = [], at = { path: first, from: 0 }, page, failure, isClosed = false, latest = 0;

  async function load({ path, from } = at) {
    const mine = ++latest;
    try {
      const found = await get(path);
      if (mine !== latest) return;
      page = found;
      at = { path, from };
      failure = undefined;
    } catch (refused) {
      if (mine !== latest) return;
      failure = refused;
    }
    if (!isClosed) update();
  }

  return {
    load,
    close() { isClosed = true; latest = Infinity; },
    get isClosed() { return isClosed; },
    get entries() { return page?.value; },
    get failure() { return failure; },
    buttons: () => !page || (trail.length === 0 && !page.nextLink) ? nothing : html`
      <div class="pager">
        <span class="quiet">${range(at.from, page.value.length, page.nextLink ? undefined : at.from + page.value.length)}</span>
        ${trail.length > 0 ? button('← Back', () => load(trail.pop())) : nothing}
        ${page.nextLink ? button('More →', () => { trail.push(at); load({ path: local(page.nextLink), from: at.from + page.value.length }); }) : nothing}
      </div>`,
  };
}
