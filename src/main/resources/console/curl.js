// A job as the command that would make it again.

import { jobPath } from './api.js';
import { definition } from './definition.js';

/** Quoted for a shell: nothing within single quotes means anything but a single quote. */
const quoted = text => `'${text.replaceAll("'", `'\\''`)}'`;

/** Secrets are not answered: *** keeps the stored one, and so does what is missing. */
export function curl(collection, job) {
  return `curl -X PUT ${quoted(location.origin + jobPath(collection, job.id))} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(definition(job), null, 2))}`;
}
