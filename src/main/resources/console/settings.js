// Settings of a collection: tags, limits, signatures, and whether its jobs may run.

import { html, nothing } from './lit-html.js';
import { call, get, open } from './api.js';
import { counted, number } from './format.js';
import { pause } from './pause.js';
import { may } from './session.js';
import { confirmed } from './dialog.js';
import { badge, button, card, copy, groupCrumb, problem, skeleton, time } from './ui.js';
import { isPlanned, said as told, waiting } from './waits.js';

const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'];
const SECRET_BYTES = 32;

export function settings({ update, place, parts: [collection] }) {
  const path = place.collectionPath(collection);
  const isWriter = may('writer', place.group), isOperator = may('operator', place.scope(collection));
  let found, etag, counts, draft, failure, note, saved, secret;

  async function load() {
    try {
      const [answer, search] = await Promise.all([open('GET', path), get(`${path}/search?$top=1`)]);
      etag = answer.headers.get('ETag');
      found = await answer.json();
      counts = search.counts;
      draft = drafted(found);
      failure = undefined;
    } catch (refused) {
      failure = refused;
    }
    update();
  }

  async function send(what) {
    saved = undefined;
    try {
      await what();
      note = undefined;
      await load();
      return true;
    } catch (refused) {
      note = refused.status === 412 ? { message: 'This collection was changed after you opened it. Open the page again.' } : refused;
      update();
      return false;
    }
  }

  async function save(event) {
    event.preventDefault();
    const patch = difference(found, draft);
    if (await send(() => call('PATCH', path, patch, { headers: { 'If-Match': etag } }))) { saved = 'Saved.'; update(); }
  }

  async function disable() {
    const said = pause({ plans: true });
    if (await confirmed('Disable a collection', html`<p>The jobs of <strong>${place.title(collection)}</strong> do not run until it is enabled.</p>${said.view}`, 'Disable')) await send(() => call('POST', `${path}/disable`, said.body));
  }

  const enable = () => send(() => call('POST', `${path}/enable`));

  async function sign() {
    if (found.signing?.secretCount && !await confirmed('A new secret', html`<p>The new secret replaces ${counted(found.signing.secretCount, 'secret')}: targets that verify signatures need it immediately. For a change without a gap, PATCH the collection with the new and the old one.</p>`, 'Replace')) return;
    const made = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
    if (await send(() => call('PATCH', path, { signing: { secrets: [made] } }, { headers: { 'If-Match': etag } }))) { secret = made; update(); }
  }

  async function unsign() {
    if (await confirmed('End signing', html`<p>Calls of <strong>${place.title(collection)}</strong> are no longer signed; targets that verify signatures refuse them.</p>`, 'End signing', 'danger')) {
      secret = undefined;
      await send(() => call('PATCH', path, { signing: null }, { headers: { 'If-Match': etag } }));
    }
  }

  const set = name => event => { draft[name] = event.target.value.trim(); saved = undefined; update(); };
  const said = place => {
    const message = note?.details?.find(one => one.target === place)?.message ?? (note?.message?.startsWith(`${place}:`) ? note.message.slice(place.length + 2) : undefined);
    return message ? html`<span class="bad-text" role="alert">${message}</span>` : nothing;
  };

  load();
  return {
    title: `Settings of ${collection}`,
    holds: () => Boolean(found) && Object.keys(difference(found, draft)).length > 0,
    view: () => html`
      <div class="head"><h1>${groupCrumb(place)}<a href=${place.link('/collections')} class="crumb">Collections</a> <a href=${place.collectionLink(collection)} class="crumb">${collection}</a> Settings</h1></div>
      ${problem(failure)}${problem(note)}
      ${found ? html`
        <div class="columns">
          ${card('State', html`
            <p>${badge(found.state, found.state === 'enabled' ? 'good' : 'warn')}
              ${found.pause ? html`${isPlanned(found.pause) ? 'will be disabled' : 'since'} ${time(found.pause.since)} ${told(found.pause)}`
                : found.state === 'enabled' ? found.waits ? nothing : html`<span class="quiet">Its jobs run.</span>` : html`<span class="quiet">Its jobs do not run.</span>`}</p>
            ${found.waits ? html`<p>${badge('waits', 'warn')} ${waiting(found.waits)}. Its jobs run when that is over.</p>` : nothing}
            ${counts ? html`<dl class="facts counts">${Object.entries(counts).map(([word, count]) => html`<div><dt>${word}</dt><dd>${number(count)}</dd></div>`)}</dl>` : nothing}`,
            isOperator ? found.state === 'enabled' ? html`${button('Disable …', disable)} ${found.pause ? button('Cancel the pause', enable) : nothing}` : button('Enable', enable) : nothing)}
          ${card('Signatures', html`
            <p>${found.signing?.secretCount ? html`${badge('signed', 'good')} Each HTTP call is signed with ${counted(found.signing.secretCount, 'secret')} as Standard Webhooks has it.` : html`<span class="quiet">HTTP calls of this collection are not signed.</span>`}</p>
            ${secret ? html`<p role="status"><strong>Copy the secret now: it is never shown again.</strong></p><pre class="secret" tabindex="0" aria-label="The secret">${secret}</pre>
              <p>${button('Copy the secret', event => copy(event, secret))}</p>` : nothing}`,
            isWriter ? html`${button(found.signing?.secretCount ? 'New secret …' : 'Sign with a new secret', sign)} ${found.signing?.secretCount ? button('End …', unsign, 'danger') : nothing}` : nothing)}
        </div>
        <form @submit=${save} autocomplete="off">${card('Limits and tags', html`<fieldset class="plain" ?disabled=${!isWriter}><div class="grid">
          <label><span>Jobs at most</span><input name="maxJobCount" inputmode="numeric" .value=${draft.maxJobCount} placeholder=${plan(found, 'as the server allows')} @input=${set('maxJobCount')}>${said('quota.maxJobCount')}</label>
          <label><span>Not more often than every</span><span class="pair"><input name="interval" inputmode="numeric" aria-label="How many" .value=${draft.interval} placeholder="1" ?disabled=${draft.frequency === ''} @input=${set('interval')}>
            <select name="frequency" aria-label="Unit" @change=${set('frequency')}><option value="" ?selected=${draft.frequency === ''}>no limit</option>
              ${UNITS.map(unit => html`<option value=${unit} ?selected=${draft.frequency === unit}>${unit}</option>`)}</select></span>${said('quota.maxRecurrence.interval')}${said('quota.maxRecurrence.frequency')}</label>
          <label><span>Executions of a job at most</span><input name="maxJobOccurrence" inputmode="numeric" .value=${draft.maxJobOccurrence} placeholder="no limit" @input=${set('maxJobOccurrence')}>${said('quota.maxJobOccurrence')}</label>
          <label><span>Location, a word for people</span><input name="location" .value=${draft.location} @input=${set('location')}>${said('location')}</label>
          <label class="whole"><span>Tags, one a line</span><textarea name="tags" rows="3" spellcheck="false" placeholder="team: billing" .value=${draft.tags} @input=${event => { draft.tags = event.target.value; saved = undefined; update(); }}></textarea>${said('tags')}</label>
        </div></fieldset>
        ${found.sku ? html`<p class="caption">Plan ${found.sku.name}: its values apply to empty fields.</p>` : nothing}
        ${isWriter ? html`<p class="actions save"><button class="primary" ?disabled=${Object.keys(difference(found, draft)).length === 0}>Save</button> <span class="quiet" role="status">${saved ?? ''}</span></p>` : nothing}`)}</form>`
      : failure ? nothing : skeleton()}`,
  };
}

const plan = (found, otherwise) => found.sku ? `as ${found.sku.name} has it` : otherwise;

const lines = map => Object.entries(map ?? {}).map(([name, value]) => `${name}: ${value}`).join('\n');

const text = value => value === undefined ? '' : String(value);

function drafted({ quota = {}, location, tags }) {
  return {
    maxJobCount: text(quota.maxJobCount), maxJobOccurrence: text(quota.maxJobOccurrence),
    frequency: (quota.maxRecurrence?.frequency ?? '').toLowerCase(), interval: text(quota.maxRecurrence?.interval),
    location: location ?? '', tags: lines(tags),
  };
}

const asNumber = value => value === '' ? null : /^\d+$/.test(value) ? Number(value) : value;

/** A merge patch from what is stored to what the form says: what is the same is left out, null takes away. */
function difference(found, draft) {
  const before = drafted(found);
  const patch = {};
  const quota = {};
  for (const name of ['maxJobCount', 'maxJobOccurrence']) {
    if (draft[name] !== before[name]) quota[name] = asNumber(draft[name]);
  }
  if (draft.frequency !== before.frequency || (draft.frequency !== '' && draft.interval !== before.interval)) {
    quota.maxRecurrence = draft.frequency === '' ? null : { frequency: draft.frequency, interval: asNumber(draft.interval) ?? 1 };
  }
  if (Object.keys(quota).length > 0) patch.quota = quota;
  if (draft.location !== before.location) patch.location = draft.location === '' ? null : draft.location;
  if (draft.tags.trim() !== before.tags) {
    const now = Object.fromEntries(draft.tags.split('\n').filter(line => line.trim() !== '').map(line => {
      const [name, value = ''] = line.split(/:(.*)/s);
      return [name.trim(), value.trim()];
    }));
    patch.tags = { ...Object.fromEntries(Object.keys(found.tags ?? {}).filter(name => !(name in now)).map(name => [name, null])), ...now };
  }
  return patch;
}
