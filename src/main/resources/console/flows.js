// All flows of the group at hand, or one of them: limits, what is in flight and waits; here they are paused, resumed and reset.

import { html, nothing } from './lit-html.js';
import { call, get, local, open } from './api.js';
import { dialog } from './dialog.js';
import { counted, number, span } from './format.js';
import { may } from './session.js';
import { range } from './sort.js';
import { toast } from './toast.js';
import { badge, button, groupCrumb, problem, skeleton, time, upcoming } from './ui.js';

const SIDE_BY_SIDE = 4;
const EXAMPLE = { match: ['api.crm.example'], parallelism: 10, rate: { limit: 100, per: 'PT1S' }, breaker: { consecutive: 10 } };
const REFRESH = 2000;
const BREAKERS = { closed: 'good', open: 'bad', halfOpen: 'warn' };
const BREAKER_NAMES = { halfOpen: 'half open' };
const REASONS = {
  failures: 'too many failures', probeFailed: 'a probe failed', probesSucceeded: 'its probes succeeded',
  pauseOver: 'its time is over', probeLost: 'no report of a probe', noBreaker: 'the flow has no breaker now',
};

const word = breaker => BREAKER_NAMES[breaker] ?? breaker;

/** An ISO 8601 duration of days, hours, minutes and seconds, in ms. */
function millis(duration) {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration) ?? [];
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** When a breaker opens, in words. */
function opens({ consecutive, ratio, calls, window }) {
  const all = [];
  if (consecutive) all.push(`${counted(consecutive, 'failure')} in a row`);
  if (ratio) all.push(`${number(ratio * 100)} % of ${number(calls)} calls or more in ${span(millis(window))}`);
  return `breaker at ${all.join(' or ')}`;
}

/** Its limits, in words. */
function limits({ rate, parallelism, breaker }) {
  const all = [];
  if (rate) all.push(`${number(rate.limit)} ${rate.per === 'PT1S' ? 'a second' : `in ${span(millis(rate.per))}`}, ${number(rate.burst)} together`);
  if (parallelism) all.push(`${number(parallelism)} in flight`);
  if (breaker) all.push(opens(breaker));
  return all.join(' · ') || 'none';
}

export function flows({ update, place, parts: [only] }) {
  const { flowBase, flowPath, group } = place;
  /** Whether they have a role for a flow: in the group, or in all collections of a flow that has no match. */
  const mayFor = (role, one) => may(role, group) || (!one.match?.length && one.collections?.length > 0 && one.collections.every(pattern => may(role, `${group}/${pattern}`)));
  const isWriter = may('writer', group);
  let page, failure, note, trail = [], states = new Map(), isClosed = false, timer;

  async function load(path = `${flowBase}?$top=50`, from = 0) {
    clearTimeout(timer);
    try {
      page = { path, from, ...await (only ? named() : get(path)) };
      failure = undefined;
      if (!only) await look();
    } catch (refused) {
      failure = refused;
    }
    if (isClosed) return;
    update();
    timer = setTimeout(() => load(page?.path ?? path, page?.from ?? from), REFRESH);
  }

  /** The list of the flow that the address names. */
  async function named() {
    const found = await get(flowPath(only));
    states.set(found.name, found.state);
    return { value: [found] };
  }

  /** Some at a time: each asks all partitions. */
  async function look() {
    const waiting = page.value.map(one => one.name);
    const work = async () => {
      while (waiting.length > 0 && !isClosed) {
        const name = waiting.shift();
        const found = await get(flowPath(name)).catch(() => undefined);
        if (found) states.set(name, found.state);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  }

  async function act(what, told) {
    try {
      await what();
      toast(told);
      note = undefined;
      await load(page?.path, page?.from);
    } catch (refused) {
      note = refused;
      update();
    }
  }

  function pause(one) {
    dialog(`Pause ${one.name}`, html`
      <p>Calls in flight end; all others wait until the flow is resumed.</p>
      <p><label>Why <input name="note" maxlength="500" autocomplete="off"></label></p>
      <p><label>Until, in your time zone; empty: until it is resumed <input name="until" type="datetime-local"></label></p>`,
      [{ text: 'Pause', classes: 'primary', act: close => {
        const asked = document.querySelector('dialog[open]');
        const why = asked.querySelector('[name=note]').value.trim();
        const until = asked.querySelector('[name=until]').value;
        close();
        act(() => call('POST', `${flowPath(one.name)}/pause`, { ...(why ? { note: why } : {}), ...(until ? { until: new Date(until).toISOString() } : {}) }), `${one.name} paused.`);
      } }]);
  }

  async function log(one) {
    try {
      const { value } = await get(`${flowPath(one.name)}/log`);
      dialog(`Log of ${one.name}`, value.length === 0 ? html`<p class="quiet">Neither its breaker nor a pause has changed yet.</p>` : html`
        <table><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">By</th><th scope="col">Destination</th><th scope="col">Why</th><th scope="col">Until</th></tr></thead>
        <tbody>${value.map(event => html`<tr><td>${time(event.at)}</td><td>${word(event.what)}</td><td>${event.by}</td><td>${event.destination ?? nothing}</td>
          <td>${event.reason ? REASONS[event.reason] ?? event.reason : event.note ?? nothing}</td><td>${event.until ? time(event.until) : nothing}</td></tr>`)}</tbody></table>`);
    } catch (refused) {
      note = refused;
      update();
    }
  }

  /** What is stored of a flow now: its limits as JSON, and the version that a write must find. */
  async function stored(name) {
    const answer = await open('GET', flowPath(name));
    const { name: known, pause: paused, state, ...limitsOf } = await answer.json();
    return { text: JSON.stringify(limitsOf, null, 2), headers: { 'If-Match': answer.headers.get('ETag') } };
  }

  async function change(one) {
    try {
      edit(one.name, await stored(one.name));
    } catch (refused) {
      note = refused;
      update();
    }
  }

  /** A new flow, or the limits of one, as JSON. start: what the dialog begins with, and the headers of its write. */
  function edit(existing, start = { text: JSON.stringify(EXAMPLE, null, 2), headers: { 'If-None-Match': '*' } }) {
    let name = existing ?? '', { text, headers } = start, refusal, theirs;
    const form = () => html`
      ${existing ? nothing : html`<label><span>Name</span><input name="flow" required autocomplete="off" spellcheck="false" placeholder="crm" @input=${event => { name = event.target.value.trim(); }}></label>`}
      <label><span>Limits as JSON: match, collections, parallelism, rate, breaker</span><textarea class="json" name="limits" rows="12" spellcheck="false" .value=${text} @input=${event => { text = event.target.value; }}></textarea></label>
      ${problem(refusal)}${theirs ? conflict() : nothing}`;

    const conflict = () => html`
      <p role="alert">This flow was changed after you opened it. Saving again replaces the stored version:</p>
      <pre class="json conflict" tabindex="0" aria-label="Stored now">${theirs.text}</pre>
      <p class="actions">${button('Use the stored version', () => { text = theirs.text; theirs = undefined; shown.draw(form()); })}</p>`;

    async function save(close) {
      try {
        if (name === '') throw { message: 'A flow needs a name.' };
        await call('PUT', flowPath(name), text, { headers });
        close();
        toast(`${name} saved.`);
        if (!isClosed) await load(page?.path, page?.from);
      } catch (refused) {
        refusal = refused.status !== 412 ? refused : existing ? await meanwhile() : { message: `There is a flow '${name}' already.` };
        shown.draw(form());
      }
    }

    /** Reads what somebody else has stored; what was typed stays. */
    async function meanwhile() {
      try {
        theirs = await stored(existing);
        headers = theirs.headers;
        return undefined;
      } catch (refused) {
        return refused;
      }
    }

    const shown = dialog(existing ? `Limits of ${existing}` : 'New flow', form(), [{ text: 'Cancel', act: close => close() }, { text: 'Save', classes: 'primary', act: save }]);
  }

  const post = (one, what, done) => act(() => call('POST', `${flowPath(one.name)}/${what}`), `${one.name} ${done}.`);

  const stoppedAt = state => state.stopped.filter(one => one.destination).map(one => html`<div class="quiet">${one.destination}</div>`);

  const gateState = (one, state) => one.pause
    ? html`${badge('paused', 'warn')} <span class="quiet">by ${one.pause.by}${one.pause.until ? html`, until ${time(one.pause.until)}` : nothing} ${one.pause.note ?? nothing}</span>`
    : state && one.breaker && state.breaker !== 'closed'
      ? html`${badge(`breaker ${word(state.breaker)}`, BREAKERS[state.breaker])} ${state.openUntil ? html`<span class="quiet">probes ${upcoming(state.openUntil)}</span>` : nothing}${stoppedAt(state)}`
      : state?.retryAt ? html`${badge('deferred', 'warn')} <span class="quiet">continues ${upcoming(state.retryAt)}</span>${stoppedAt(state)}` : badge('calls pass', 'good');

  const count = value => value === undefined ? html`<span class="quiet">…</span>` : number(value);

  const row = one => {
    const state = states.get(one.name);
    return html`<tr>
      <td class="name"><a class="row" href=${place.link(`/flows/${encodeURIComponent(one.name)}`)}>${one.name}</a><div class="quiet">${one.match?.join(', ') ?? nothing}</div>
        ${one.collections ? html`<div class="quiet">named by ${one.collections.join(', ')}</div>` : nothing}</td>
      <td class="gate">${gateState(one, state)}</td>
      <td class="limits" data-label="Limits">${limits(one)}</td>
      <td class="num" data-label="In flight">${count(state?.inFlight)}</td>
      <td class="num" data-label="Last minute">${count(state?.begun.lastMinute)}</td>
      <td class="num" data-label="Waiting">${count(state?.waiting)}${state?.oldest ? html`<div class="quiet">oldest ${time(state.oldest)}</div>` : nothing}
        ${state?.estimate ? html`<div class="quiet">for some ${span(Math.max(1000, millis(state.estimate)))}</div>` : nothing}</td>
      <td class="actions">${mayFor('writer', one) ? button('Limits …', () => change(one), 'small') : nothing} ${mayFor('operator', one) ? html`${one.pause ? button('Resume', () => post(one, 'resume', 'resumed'), 'small') : button('Pause', () => pause(one), 'small')}
        ${button('Reset', () => post(one, 'reset', 'reset'), 'small')}` : nothing} ${button('Log', () => log(one), 'small')}</td></tr>`;
  };

  load();
  return {
    title: only ? `Flow ${only}` : 'Flows',
    keys(pressed) {
      if (pressed !== 'n' || !isWriter || only) return false;
      edit();
      return true;
    },
    close() { isClosed = true; clearTimeout(timer); },
    view: () => html`
      <div class="head"><h1>${only ? html`${groupCrumb(place)}<a href=${place.link('/flows')} class="crumb">Flows</a> ${only}` : 'Flows'}</h1>${only ? nothing : html`<span class="quiet grow">${group}</span>`}
        ${isWriter && !only ? html`<div class="actions">${button('New flow', () => edit(), 'primary')}</div>` : nothing}</div>
      ${problem(failure)}${problem(note)}
      ${!page ? failure ? nothing : skeleton() : page.value.length === 0 ? html`
        <div class="card empty"><h2>There is no flow yet.</h2><p>A flow is a set of limits that calls share: calls a second, parallel calls, no calls while the target is down.</p>
          <pre tabindex="0" aria-label="Command">curl -X PUT ${location.origin}${flowBase}/crm -H 'Content-Type: application/json' \\
  -d '{"match": ["api.crm.example"], "parallelism": 10, "rate": {"limit": 100, "per": "1s"}}'</pre></div>` : html`
        <div class="card scroll"><table class="collections flows">
          <thead><tr><th scope="col">Flow</th><th scope="col">State</th><th scope="col">Limits</th><th scope="col" class="num">In flight</th>
            <th scope="col" class="num">Last minute</th><th scope="col" class="num">Waiting</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
          <tbody>${page.value.map(row)}</tbody>
        </table></div>
        <div class="pager">
          ${trail.length > 0 || page.nextLink ? html`<span class="quiet">${range(page.from, page.value.length, page.nextLink ? undefined : page.from + page.value.length)}</span>` : nothing}
          ${trail.length > 0 ? button('← Back', () => { const { path, from } = trail.pop(); load(path, from); }) : nothing}
          ${page.nextLink ? button('More →', () => { trail.push({ path: page.path, from: page.from }); load(local(page.nextLink), page.from + page.value.length); }) : nothing}
        </div>`}`,
  };
}
