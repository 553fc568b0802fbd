// Rows sorted by the header of a column: up, down, or as the server lists them. Those that a page has loaded, or the whole list where the server orders it.

import { html, nothing } from './lit-html.js';

const isNothing = value => value === undefined || value === null || value === '';

function compare(a, b) {
  if (isNothing(a) || isNothing(b)) return isNothing(a) - isNothing(b);
  return typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b;
}

/**
 * columns: what a row is sorted by, under a word; "-" before the word for the largest first. chosen: such a word, as it stands in an address.
 * isAll() tells whether the loaded rows are all there are, isOrdered() whether they come from the server in this order.
 */
export function sorting(columns, chosen, isAll, changed, isOrdered = () => false) {
  let word = columns[chosen?.replace('-', '')] ? chosen : '';
  const name = () => word.replace('-', '');
  const choose = next => { word = next; changed(); };
  const hint = text => isOrdered() ? `Sort the whole list by ${text}` : isAll() ? `Sort by ${text}` : `Sorts the rows on this page by ${text}; the whole list keeps the order of the server`;

  /** What a click comes to; the third goes back to the order of the list. */
  function turned(column, first) {
    const other = first.startsWith('-') ? column : `-${column}`;
    return name() !== column ? first : word === first ? other : '';
  }

  return {
    get word() { return word; },
    choose,
    /** Above the rows, where sorting them does not sort the list. */
    note: (why = '') => columns[name()] && !isAll() && !isOrdered() ? html`<p class="caption" role="note">Only the rows on this page are sorted, not the whole list${why}.</p>` : nothing,
    /** Those without a value are last, either way. */
    sorted(rows) {
      const of = columns[name()];
      if (!of || isOrdered()) return rows;
      const by = word.startsWith('-') ? -1 : 1;
      return [...rows].sort((a, b) => isNothing(of(a)) || isNothing(of(b)) ? compare(of(a), of(b)) : by * compare(of(a), of(b)));
    },
    /** first: the order of the first click. */
    header: (column, text, { first = column, classes = '', by = text.toLowerCase() } = {}) => html`
      <th scope="col" class=${classes} aria-sort=${name() !== column ? 'none' : word.startsWith('-') ? 'descending' : 'ascending'}>
        <button type="button" class="sort" title=${hint(by)} @click=${() => choose(turned(column, first))}>${text}<span aria-hidden="true">${name() !== column ? '' : word.startsWith('-') ? ' ▾' : ' ▴'}</span></button></th>`,
  };
}

/** "51–100 of 1,000", "51–100 of more than 100" where nobody has counted them and there are more. */
export function range(from, count, total) {
  if (count === 0) return '';
  const [first, last] = [from + 1, from + count].map(one => one.toLocaleString('en'));
  return `${first}–${last} of ${total === undefined ? `more than ${last}` : total.toLocaleString('en')}`;
}
