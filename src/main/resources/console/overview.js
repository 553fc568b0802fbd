// The first page: how many jobs, what is due, how nodes and Redis are, and what needs attention.

import { html, nothing } from './lit-html.js';
import { get } from './api.js';
import { done, due } from './charts.js';
import { bytes, counted, inFull, number, span } from './format.js';
import { aside, empty, firstCall } from './parts.js';
import { pauseButton } from './pauses.js';
import { group, link } from './place.js';
import { polling } from './refresh.js';
import { may } from './session.js';
import { badge, card, problem, skeleton, time } from './ui.js';

/** Where a first job goes: made with it, if need be. */
const FIRST = ['default', 'default', 'default'];
const NODE_STATES = { alive: 'good', leaving: 'warn', dead: 'bad' };
const EVERY = 5000;
const LEVELS = { bad: 'bad', warn: 'warn', note: 'info' };
const WORDS = { bad: 'Now', warn: 'Check', note: 'Note' };

export function overview({ update, query }) {
  const scope = query.get('of') ?? group().split('/')[0];
  let facts, nodes;
  const poll = polling(() => Promise.all([get(`/overview?scope=${encodeURIComponent(scope)}`), may('reader', '*') ? get('/nodes') : { value: [] }]),
    ([answer, page]) => { facts = answer; nodes = page.value; }, EVERY, update);

  function choose(event) {
    event.preventDefault();
    const of = new FormData(event.target).get('of').trim();
    location.hash = link(`/?of=${encodeURIComponent(of)}`);
  }

  return {
    title: 'Overview',
    close: poll.close,
    view: () => html`
      <div class="head"><h1>Overview</h1>
        ${facts ? html`<span class="quiet">as of ${inFull(facts.time).slice(11)}</span>` : nothing}
        ${!facts || !isEmpty(facts) ? html`<div class="actions">${pauseButton()} ${newJob()}</div>` : nothing}</div>
      ${problem(poll.failure)}
      ${facts ? view(facts, nodes, choose) : poll.failure ? nothing : html`${skeleton(3)}${skeleton(8)}`}`,
  };
}

/** Whether no job is there, nothing is due and nothing has run, as far as this page can tell. */
const isEmpty = ({ scope, jobs, allCollections, due, done }) => scope === 'default' && allCollections && due
  && [Object.values(jobs), due.hour.counts, due.day.counts, done.completed, done.failed].every(counts => counts.every(count => count === 0));

const view = (facts, nodes, choose) => isEmpty(facts) ? html`
  ${facts.attention.length > 0 ? attention(facts.attention) : nothing}
  ${empty('No job yet', 'This command creates a job that calls a URL every five seconds, three times. This page then shows it:', [firstCall()], newJob())}
  ${ofScope(facts.scope, choose)}
  ${machines(facts, nodes)}` : html`
  ${attention(facts.attention)}
  ${tiles(facts, choose)}
  ${facts.due ? ofAll(facts, nodes) : html`
    <p class="caption">These are the jobs and collections that your key may read. Runs, what failed, and the <a href=${link('/forecast')}>forecast</a> have the same.</p>`}`;

/** What is told of all jobs together, to those who may read all. */
const ofAll = (facts, nodes) => html`
  ${card('Attempts by the minute, all nodes', done(facts.done), html`<a href=${link('/runs')}>Runs</a>`)}
  <div class="columns">
    ${card('Jobs due in the next hour', due('Next hour', facts.due.hour), html`<a href=${link('/forecast')}>Forecast</a>`)}
    ${card('Jobs due in the next day', due('Next day', facts.due.day), html`<a href=${link('/forecast')}>Forecast</a>`)}
  </div>
  <p class="caption">All jobs of this Redis, each counted once, at its next occurrence, however often it runs afterwards: the <a href=${link('/forecast')}>forecast</a> counts every occurrence. Retries and the removal of finished jobs count as a job each.</p>
  ${machines(facts, nodes)}`;

const newJob = () => may('writer', FIRST.join('/')) ? html`<a class="button primary" href=${link(`/c/${FIRST[2]}/new`, FIRST.slice(0, 2))}>New job</a>` : nothing;

const machines = (facts, nodes) => html`
  <div class="columns">
    ${card('Nodes', nodeTable(nodes), html`<a href="#/nodes">Details</a>`)}
    ${facts.redis.map(server => card('Redis', redis(server, facts.facts), html`<a href="#/metrics?name=redis">Metrics</a>`))}
  </div>`;

const attention = items => items.length === 0
  ? html`<section class="card calm"><p><span class="badge good">All is well</span> Nothing needs attention.</p></section>`
  : card('Needs attention', html`<ul class="attention">${items.map(item => html`
      <li>${badge(WORDS[item.level], LEVELS[item.level])}<div><strong>${item.link ? html`<a href=${`#${item.link}`}>${item.what}</a>` : item.what}</strong><p>${item.why}</p></div></li>`)}</ul>`);

/** Collections of a scope, or those with jobs in a state. Of all groups of a subscription those of the one at hand, or of default. */
function listOf(scope, state) {
  const [subscription, of] = scope.split('/');
  const [own, at] = group().split('/');
  return link(`/collections${state ? `?state=${state}` : ''}`, [subscription, of ?? (own === subscription ? at : 'default')]);
}

const ofScope = (scope, choose) => aside(scope !== 'default', html`<form class="inline scope" @submit=${choose}>
    <span>Jobs of ${scope.includes('/') ? 'the group' : 'all groups of the subscription'}</span>
    <label><span class="sr">Subscription, or subscription and group with a slash between</span><input name="of" .value=${scope} required pattern="[^\\/]+(\\/[^\\/]+)?" title="subscription, or subscription/group" autocomplete="off" spellcheck="false"></label>
    <button>Show</button>
  </form>`);

const tiles = ({ scope, jobs, collections, allCollections }, choose) => html`
  ${ofScope(scope, choose)}
  <dl class="tiles">
    ${['enabled', 'disabled', 'completed', 'faulted'].map(state => html`
      <div class="tile ${state === 'faulted' && jobs.faulted > 0 ? 'bad' : ''}"><dt>${state}</dt><dd><a href=${listOf(scope, state)} aria-label="${counted(jobs[state], 'job')} ${state}">${number(jobs[state])}</a></dd></div>`)}
    <div class="tile"><dt>collections</dt><dd><a href=${listOf(scope)} aria-label="${number(collections)} collections">${number(collections)}${allCollections ? '' : '+'}</a></dd></div>
  </dl>
  ${allCollections ? nothing : html`<p class="caption">Jobs are counted in the first ${counted(collections, 'collection')} only.</p>`}`;

const nodeTable = nodes => html`
  <div class="scroll" tabindex="0" role="region" aria-label="Nodes"><table>
    <thead><tr><th scope="col">Node</th><th scope="col">State</th><th scope="col">Heartbeat</th>
      <th scope="col" class="num">Claims</th><th scope="col" class="spare">Up since</th></tr></thead>
    <tbody>${nodes.map(node => html`<tr><td><a class="row" href="#/nodes"><code>${node.id}</code></a>${node.version ? html` <span class="quiet spare">${node.version}</span>` : nothing}</td>
      <td>${badge(node.state, NODE_STATES[node.state] ?? 'quiet')}</td><td>${time(node.lastBeat)}</td>
      <td class="num">${node.inFlight === undefined ? '–' : html`<a href=${link('/live')}>${number(node.inFlight)}</a>`}</td><td class="spare">${time(node.started)}</td></tr>`)}</tbody>
  </table></div>`;

const redis = (server, facts) => html`
  <dl class="facts">
    <div><dt>memory</dt><dd>${bytes(server.usedMemory)}${server.maxMemory > 0 ? ` of ${bytes(server.maxMemory)}` : ''}</dd></div>
    <div><dt>at its peak</dt><dd>${bytes(server.peakMemory)}</dd></div>
    <div><dt>commands</dt><dd>${number(server.commandsPerSecond)} /s</dd></div>
    <div><dt>connections</dt><dd>${number(server.clients)}</dd></div>
    <div><dt>replicas</dt><dd>${number(server.replicas ?? 0)}</dd></div>
    <div><dt>up for</dt><dd>${span(server.uptimeSeconds * 1000)}</dd></div>
    <div><dt>version</dt><dd>${server.version} (${server.role})</dd></div>
    <div><dt>durability</dt><dd>${facts.durability ?? '–'}</dd></div>
  </dl>
  ${server.maxMemory > 0 ? html`<progress max=${server.maxMemory} value=${server.usedMemory} aria-label="Memory used"></progress>` : nothing}`;
