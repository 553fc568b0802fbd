// The way to the API. The browser adds the cookie of the session, where there is one.

/** What the server refused, with its own words. */
export class ApiError extends Error {
  constructor(status, code, message, details = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details; // [{ code, message, target }]: all that is wrong, where the server says so
  }
}

/** What no other site's page can send: without it the server does not look at the session. */
const MARK = { 'carillon-console': '1' };

let signedOut = () => {};

/** Calls back when a request was refused because nobody, or nobody any more, is signed in. */
export function onSignedOut(callback) { signedOut = callback; }

/** Sends a request; the answer's body stays to be read. Fails with an ApiError. */
export async function open(method, path, body, options = {}) {
  const answer = await fetch(path, {
    method,
    headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...MARK, ...options.headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    signal: options.signal,
    credentials: 'same-origin',
    cache: 'no-store', // the ETag of a job stands for its definition, not for how it is
  }).catch(cause => {
    if (cause.name === 'AbortError') throw cause;
    throw new ApiError(0, 'Unreachable', 'Carillon does not answer.');
  });
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function refusal(answer) {
  if (answer.status === 401) signedOut();
  const error = await answer.json().then(json => json.error, () => undefined);
  return new ApiError(answer.status, error?.code ?? 'Error', error?.message ?? `The answer was ${answer.status}.`, error?.details);
}

/** Sends a request and reads the JSON of the answer, null where there is none. */
export async function call(method, path, body, options) {
  const text = await (await open(method, path, body, options)).text();
  return text === '' ? null : JSON.parse(text);
}

export const get = (path, options) => call('GET', path, undefined, options);

/** A link that the server gave, as a path of this origin: a proxy may be known by another name. */
export function local(link) {
  const url = new URL(link, location.origin);
  return url.pathname + url.search;
}
