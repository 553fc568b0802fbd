// Who has signed in, and what they may do: what they may not do is not offered. The server decides.

import { call, get } from './api.js';

const ROLES = ['reader', 'operator', 'writer', 'admin'];
const NOBODY = { client: '', proof: 'none', grants: [] };

let known = NOBODY;

export const caller = () => known;

/** Whether the server asks nobody who they are: then no key limits anything. */
export const isOpenToEverybody = () => known.proof === 'none';

/** Asks the server who this is; fails with an ApiError. */
export async function identify() { known = await get('/session'); }

/** Shows an API key once; from then on the browser shows a cookie that scripts cannot read. */
export async function signIn(key) {
  known = await call('POST', '/session', undefined, { headers: { Authorization: `Bearer ${key}` } });
}

/** Where it stands that somebody signed out: the issuer is then to ask who it is, also of a page that is opened later. */
const SIGNED_OUT = 'carillon.signIn.signedOut';

/** Ends the session; the browser leaves for the issuer where it signs out there too: then this is true. */
export async function signOut() {
  localStorage.setItem(SIGNED_OUT, 'yes');
  const { endSessionUri } = await call('DELETE', '/session');
  known = NOBODY;
  if (endSessionUri) location.assign(endSessionUri);
  return Boolean(endSessionUri);
}

// --- at the issuer of tokens: the browser goes there and comes back, to the page that it left

const PLACE = 'carillon.signIn.place';

/** With what people can sign in: { keys, issuer }. */
export const signInWays = () => get('/console/sign-in');

/** Leaves for the issuer, which asks who it is where it does not know, after a sign-out, or is to ask again. Fails with an ApiError. */
export async function signInAtIssuer(asksAgain) {
  const { authorizationUri } = await call('POST', '/console/sign-in/request', asksAgain || localStorage.getItem(SIGNED_OUT) ? { prompt: 'login' } : {});
  sessionStorage.setItem(PLACE, location.hash);
  location.assign(authorizationUri);
}

/** Whether the browser has come back with a response of the issuer. */
export function hasSignInResponse() {
  const query = new URLSearchParams(location.search);
  return query.has('state') && (query.has('code') || query.has('error'));
}

/** Signs in by that response. Fails with an ApiError. */
export async function finishSignIn() {
  const query = new URLSearchParams(location.search);
  history.replaceState(undefined, '', location.pathname + (sessionStorage.getItem(PLACE) ?? '')); // the response counts once, and stands nowhere
  sessionStorage.removeItem(PLACE);
  const parts = ['code', 'state', 'iss', 'error'].filter(name => query.has(name));
  known = await call('POST', '/console/sign-in/response', Object.fromEntries(parts.map(name => [name, query.get(name)])));
  localStorage.removeItem(SIGNED_OUT);
}

/** The scope of a grant as a path: one without a slash names collections of the default group. */
export function scopePath(grant) {
  const where = grant.split(/:(.*)/s, 2)[1];
  return where === '*' || where.includes('/') ? where.replace(/\/\*$/, '') : `default/default/${where}`;
}

/** Whether a scope, as a path, has all of another. */
const covers = (where, wanted) => where === '*' || where === wanted
  || wanted.startsWith(where.endsWith('*') ? where.slice(0, -1) : `${where}/`);

/** Whether they have this role in a scope: '*', or a group, with a collection or without. */
export function may(role, scope) {
  const wanted = scope.toLowerCase();
  return known.grants.some(grant => ROLES.indexOf(grant.split(':', 1)[0]) >= ROLES.indexOf(role) && covers(scopePath(grant), wanted));
}

/** Whether they may read anything in a group. */
export function seesPartOf(group) {
  const wanted = group.toLowerCase();
  return may('reader', wanted) || known.grants.some(grant => scopePath(grant).startsWith(`${wanted}/`));
}
