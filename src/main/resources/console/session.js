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

export async function signOut() {
  await call('DELETE', '/session');
  known = NOBODY;
}

/** Whether they have this role in a scope: '*', or a group, with a collection or without. */
export function may(role, scope) {
  const wanted = scope.toLowerCase();
  return known.grants.some(grant => {
    const [has, where] = grant.split(/:(.*)/s, 2);
    return ROLES.indexOf(has) >= ROLES.indexOf(role) && (where === '*' || wanted === where || wanted.startsWith(`${where}/`));
  });
}
