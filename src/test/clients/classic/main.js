'use strict';

// Drives every operation of the classic clients against the API at the given base address, with jobs that call TARGET:
//   node main.js BASE TARGET
// Prints one line of JSON for each: operation, status, and its result as the client understood it, or error.

const management = require('azure-asm-scheduler');
const scheduler = require('azure-scheduler');
const moment = require('moment');

const [base, target] = process.argv.slice(2);
// The certificate is what Azure asked for; over plain HTTP it is not used.
const credentials = scheduler.createCertificateCloudCredentials({ subscriptionId: 's1', cert: 'unused', key: 'unused' });

const services = management.createCloudServiceManagementClient(credentials, base);
const collections = management.createSchedulerManagementClient(credentials, base);
const jobs = scheduler.createSchedulerClient('cs1', 'c1', credentials, base);
// Without these the clients wait 10 or 15 seconds before they ask how an operation went.
for (const client of [services, collections]) {
  client.longRunningOperationInitialTimeout = 0;
  client.longRunningOperationRetryTimeout = 0;
}

function print(operation, outcome) {
  process.stdout.write(JSON.stringify({ operation, ...outcome }) + '\n');
}

/**
 * Calls a method of the group of operations and prints what came of it; answers its result. A PUT without a body is a
 * stream that waits for one: the client sends nothing until it is ended.
 */
function call(name, group, method, ...args) {
  return new Promise((resolve) => {
    const stream = group[method](...args, (error, result) => {
      if (error) {
        print(`${name}.${method}`, { status: error.statusCode, error: { code: error.code, message: error.message } });
      } else {
        print(`${name}.${method}`, { status: result.statusCode, result });
      }
      resolve(result);
    });
    if (method === 'registerResourceProvider' || method === 'unregisterResourceProvider') {
      stream.end();
    }
  });
}

const service = { label: 'label', description: 'what for', geoRegion: 'West Europe', email: 'nobody@example.org' };
const settings = {
  plan: 'Standard',
  quota: { maxJobCount: 40, maxJobOccurrence: 100, maxRecurrence: { frequency: 'Minute', interval: 1 } },
};
const daily = {
  startTime: new Date(Date.now() + 3600 * 1000),
  action: {
    type: 'Http',
    request: { uri: target, method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'a/b' },
    retryPolicy: { retryType: 'Fixed', retryInterval: moment.duration(90, 'seconds'), retryCount: 2 },
    errorAction: { type: 'Https', request: { uri: 'https://example.org/', method: 'GET' } },
  },
  recurrence: {
    frequency: 'Month',
    interval: 1,
    count: 12,
    endTime: new Date(Date.now() + 400 * 24 * 3600 * 1000),
    schedule: { minutes: [5], hours: [6], months: [2, 8], monthlyOccurrences: [{ day: 'Monday', occurrence: -1 }] },
  },
};
const once = { action: { type: 'Http', request: { uri: target, method: 'GET' } } };

/** Asks until the job that was due at once has run. */
async function history(id) {
  for (const end = Date.now() + 60000; Date.now() < end;) {
    const found = await new Promise((resolve, reject) => {
      jobs.jobs.getHistory(id, {}, (error, result) => (error ? reject(error) : resolve(result.jobHistory)));
    });
    if (found.length > 0) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function main() {
  await call('provider', collections, 'registerResourceProvider');
  await call('provider', collections, 'getResourceProviderProperties');
  await call('provider', services, 'entitleResource', {
    resourceNamespace: 'scheduler', resourceType: 'JobCollections', registrationDate: new Date(),
  });

  await call('cloudServices', services.cloudServices, 'create', 'cs1', service);
  const begun = await call('cloudServices', services.cloudServices, 'beginCreating', 'cs2', service);
  await call('services', services, 'getOperationStatus', begun.requestId);
  await call('provider', collections, 'getOperationStatus', begun.requestId);

  await call('collections', collections.jobCollections, 'checkNameAvailability', 'cs1', 'c1');
  await call('collections', collections.jobCollections, 'create', 'cs1', 'c1', { intrinsicSettings: settings, label: 'näme' });
  await call('collections', collections.jobCollections, 'checkNameAvailability', 'cs1', 'c1');
  await call('collections', collections.jobCollections, 'beginCreating', 'cs1', 'c2', { intrinsicSettings: { plan: 'Free' } });
  await call('collections', collections.jobCollections, 'beginCreating', 'cs1', 'c2', { intrinsicSettings: { plan: 'Standard' } });
  const read = await call('collections', collections.jobCollections, 'get', 'cs1', 'c1');
  const change = { intrinsicSettings: { ...settings, quota: { ...settings.quota, maxJobCount: 30 } }, schemaVersion: '1.1' };
  const updated = await call('collections', collections.jobCollections, 'update', 'cs1', 'c1', { ...change, eTag: read.eTag });
  await call('collections', collections.jobCollections, 'beginUpdating', 'cs1', 'c1', { ...change, eTag: updated.eTag });
  await call('collections', collections.jobCollections, 'beginUpdating', 'cs1', 'c1', { ...change, eTag: read.eTag, label: 'x' });
  await call('cloudServices', services.cloudServices, 'get', 'cs1');
  await call('cloudServices', services.cloudServices, 'list');

  await call('jobs', jobs.jobs, 'createOrUpdate', 'daily', daily);
  await call('jobs', jobs.jobs, 'createOrUpdate', 'daily', daily);
  await call('jobs', jobs.jobs, 'get', 'daily');
  const made = await call('jobs', jobs.jobs, 'create', once);
  await history(made.job.id);
  await call('jobs', jobs.jobs, 'getHistory', made.job.id, { skip: 0, top: 5 });
  await call('jobs', jobs.jobs, 'getHistoryWithFilter', made.job.id, { status: 'Failed', skip: 0, top: 5 });
  await call('jobs', jobs.jobs, 'updateState', 'daily', { state: 'Disabled', updateStateReason: 'tired' });
  await call('jobs', jobs.jobs, 'listWithFilter', { state: 'Disabled', skip: 0, top: 10 });
  await call('jobs', jobs.jobs, 'updateJobCollectionState', { state: 'Enabled' });
  await call('jobs', jobs.jobs, 'list', { skip: 0, top: 10 });
  await call('jobs', jobs.jobs, 'createOrUpdate', 'bad', { action: { ...once.action, type: 'Fax' } });
  await call('jobs', jobs.jobs, 'deleteMethod', 'daily');
  await call('jobs', jobs.jobs, 'get', 'daily');

  await call('collections', collections.jobCollections, 'beginDeleting', 'cs1', 'c2');
  await call('collections', collections.jobCollections, 'deleteMethod', 'cs1', 'c1');
  await call('collections', collections.jobCollections, 'get', 'cs1', 'c1');
  await call('cloudServices', services.cloudServices, 'beginDeleting', 'cs2');
  await call('cloudServices', services.cloudServices, 'delete', 'cs1');
  await call('cloudServices', services.cloudServices, 'get', 'cs1');
  await call('provider', collections, 'unregisterResourceProvider');
}

main().catch((e) => {
  process.stderr.write(`${e.stack}\n`);
  process.exitCode = 1;
});
