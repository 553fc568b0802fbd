// A job as the command that would make it again.

import { definition } from './definition.js';

/** Quoted for a shell: nothing within single quotes means anything but a single quote. */
const quoted = text => `'${text.replaceAll("'", `'\\''`)}'`;

/** path: where the API has the job. Secrets are not answered: *** keeps the stored one, and so does what is missing. */
export function curl(path, job) {
  return `curl -X PUT ${quoted(location.origin + path)} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(definition(job), null, 2))}`;
}
