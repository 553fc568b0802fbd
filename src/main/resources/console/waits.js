// What a job waits for beside its schedule: a pause of its collection, of its group or of everything; and the pause that is planned for a collection.

import { html, nothing } from './lit-html.js';
import { inFull } from './format.js';
import { exactly } from './ui.js';

/** Who paused it, until when and why, and which pause follows. */
export const said = ({ by, until, note, planned }) => html`by ${by}${until ? html` until ${exactly(until, false)}` : nothing}${note ? `: ${note}` : nothing}${planned ? html`; then from ${exactly(planned.since, false)} ${said(planned)}` : nothing}`;

const named = waits => `${waits.for} ${waits.name ?? ''}`.trim();

/** A pause that has not begun. */
export const isPlanned = pause => Date.parse(pause.since) > Date.now();

const verb = waits => isPlanned(waits) ? `will be paused from ${inFull(waits.since)}` : 'is paused';

/** "collection orders is paused by KEY until 2030-01-01 13:00:00: INC-123" of the property waits. place: of the job's group. */
export const waiting = (waits, place) => html`${waits.for === 'collection' && place ? html`<a href=${place.collectionLink(waits.name)}>${named(waits)}</a>` : named(waits)}
  ${waits.by ? html`${verb(waits)} ${said(waits)}` : 'is disabled'}`;

/** The same in a cell of a table: two lines, and the whole to hover over. */
export const waitsCell = (waits, place) => html`<div class="held" title=${`${named(waits)} ${waits.by ? `${verb(waits)} by ${waits.by}${waits.until ? ` until ${inFull(waits.until)}` : ''}${waits.note ? `: ${waits.note}` : ''}` : 'is disabled'}`}>waits: ${waiting(waits, place)}</div>`;
