// Which jobs have succeeded since they failed: asked of their histories, some side by side.

import { get } from './api.js';

const SIDE_BY_SIDE = 6;
const ANEW = 100; // of those that failed still, asked again at a time
const NEWEST = 10;

/**
 * How the job at a path is since it failed: 'recovered' when its newest attempt succeeded, 'gone' (one of its name that has no
 * history is another), or 'failing'. The success of an error action is none of its job, and neither is what was skipped. The
 * overview's RecentFailures decides alike.
 */
export async function sinceFailure(path) {
  try {
    const { value } = await get(`${path}/history?$top=${NEWEST}`);
    if (value.length === 0) return 'gone';
    const newest = value.find(one => one.status !== 'skipped' && one.actionName !== 'ErrorAction');
    return newest?.status === 'completed' ? 'recovered' : 'failing';
  } catch (refused) {
    if (refused.status === 404) return 'gone';
    throw refused;
  }
}

/**
 * What is known of jobs by their newest failure: look({ path, failure }[], goesOn, heard) asks what is not known yet, as long as
 * goesOn() says so, and calls heard() after each answer; of(path, failure) tells. failure: when it ended.
 */
export function recoveries() {
  const known = new Map();
  const of = (path, failure) => known.get(path)?.failure === failure ? known.get(path).word : undefined;

  async function ask({ path, failure }) {
    const word = await sinceFailure(path).catch(() => undefined); // not known: asked the next time
    if (word) {
      known.delete(path);
      known.set(path, { failure, word }); // the last that was asked is the last here
    }
  }

  /** New failures first, then those that were asked the longest ago. */
  async function look(jobs, goesOn, heard) {
    const fresh = jobs.filter(({ path, failure }) => of(path, failure) === undefined);
    const place = new Map([...known.keys()].map((path, i) => [path, i]));
    const still = jobs.filter(({ path, failure }) => of(path, failure) === 'failing').sort((a, b) => place.get(a.path) - place.get(b.path)).slice(0, ANEW);
    const waiting = [...fresh, ...still];
    const work = async () => {
      while (waiting.length > 0 && goesOn()) {
        await ask(waiting.shift());
        heard();
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  }

  return { look, of };
}
