// Labels of jobs: shown, and said as a filter.

import { html, nothing } from './lit-html.js';

/** The labels of a job, each a link to the jobs that have it too. */
export const labels = (job, collectionLink) => !job.labels ? nothing : Object.entries(job.labels).map(([name, value]) =>
  html` <a class="badge quiet" title="Jobs with ${name}=${value}" href="${collectionLink}?label=${encodeURIComponent(`${name}=${value}`)}">${name}=${value}</a>`);

/** The filter of "team=billing env=prod", all of which a job must have. */
export const filterOf = text => text.split(/[\s,]+/).filter(one => one !== '').map(one => {
  const [name, ...value] = one.split('=');
  return `labels/${name} eq '${value.join('=')}'`;
}).join(' and ');
