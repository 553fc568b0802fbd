'use strict';

// Drives every operation of the ARM client against the API at the given base address:
//   node main.js BASE TARGET
// Prints one line of JSON for each call: the operation, the status, and the result as the client understood it or the error.

const Scheduler = require('azure-arm-scheduler');
const moment = require('moment');
const { TokenCredentials } = require('ms-rest');

const GROUP = 'g1';
const [base, target] = process.argv.slice(2);
const client = new Scheduler(new TokenCredentials('unused'), 's1', base, {
  longRunningOperationRetryTimeout: 1,
});

function print(operation, outcome) {
  process.stdout.write(JSON.stringify({ operation, ...outcome }) + '\n');
}

/** Calls `group.method(...args)` of the client, without printing. */
function quietly(operation, ...args) {
  const [group, method] = operation.split('.');
  return client[group][`${method}WithHttpOperationResponse`](...args);
}

/** Calls, prints what came of it, and answers the result. */
async function call(operation, ...args) {
  try {
    const { response, body } = await quietly(operation, ...args);
    print(operation, { status: response.statusCode, result: body });
    return body;
  } catch (e) {
    print(operation, { status: e.statusCode, error: { code: e.code, message: e.message } });
    return undefined;
  }
}

/** Everything that the client can do, for the test to see that nothing was left out. */
function operations() {
  return ['jobCollections', 'jobs'].flatMap((group) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(client[group]))
      .filter((name) => name.endsWith('WithHttpOperationResponse'))
      .map((name) => `${group}.${name.replace('WithHttpOperationResponse', '')}`));
}

async function until(what, happens) {
  for (const end = Date.now() + 60000; Date.now() < end;) {
    if (await happens()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`did not happen: ${what}`);
}

async function collections() {
  const definition = {
    location: 'westus',
    tags: { department: 'marketing' },
    properties: {
      sku: { name: 'Standard' },
      state: 'Enabled',
      quota: { maxJobCount: 50, maxRecurrence: { frequency: 'Minute', interval: 1 } },
    },
  };
  await call('jobCollections.createOrUpdate', GROUP, 'c1', definition);
  await call('jobCollections.createOrUpdate', GROUP, 'c1', definition);
  await call('jobCollections.get', GROUP, 'c1');
  await call('jobCollections.patch', GROUP, 'c1', { tags: { floor: '7' } });
  await call('jobCollections.disable', GROUP, 'c1');
  await call('jobCollections.get', GROUP, 'c1');
  await call('jobCollections.enable', GROUP, 'c1');
  await call('jobCollections.beginDisable', GROUP, 'c1');
  await call('jobCollections.beginEnable', GROUP, 'c1');
  await call('jobCollections.get', GROUP, 'c1');
  for (let i = 0; i < 101; i++) {
    await quietly('jobCollections.createOrUpdate', GROUP, `page${i}`, { location: 'westus' });
  }
  const ofGroup = await call('jobCollections.listByResourceGroup', GROUP);
  await call('jobCollections.listByResourceGroupNext', ofGroup.nextLink);
  const ofSubscription = await call('jobCollections.listBySubscription');
  await call('jobCollections.listBySubscriptionNext', ofSubscription.nextLink);
}

function everySchedule() {
  return {
    properties: {
      startTime: new Date(Date.now() + 3600000),
      action: {
        type: 'Http',
        request: {
          uri: 'http://127.0.0.1:9/',
          method: 'POST',
          headers: { 'ConTent-tYPe': 'text/plain' },
          body: 'hello',
        },
        retryPolicy: { retryType: 'Fixed', retryInterval: moment.duration(5, 'minutes'), retryCount: 3 },
        errorAction: { type: 'Http', request: { uri: 'http://127.0.0.1:9/failed', method: 'GET' } },
      },
      recurrence: {
        frequency: 'Week',
        interval: 1,
        count: 10,
        endTime: new Date(Date.now() + 86400000 * 300),
        schedule: { weekDays: ['Monday', 'Friday'], hours: [5, 17], minutes: [0, 30] },
      },
      state: 'Disabled',
    },
  };
}

async function jobs() {
  const once = { properties: { action: { type: 'Http', request: { uri: target, method: 'GET' } } } };
  await call('jobs.createOrUpdate', GROUP, 'c1', 'weekly', everySchedule());
  await call('jobs.createOrUpdate', GROUP, 'c1', 'weekly', everySchedule());
  await call('jobs.get', GROUP, 'c1', 'weekly');
  await call('jobs.patch', GROUP, 'c1', 'weekly', { properties: { recurrence: { frequency: 'Week', interval: 2 } } });
  await call('jobs.createOrUpdate', GROUP, 'c1', 'now', {
    properties: { ...once.properties, recurrence: { frequency: 'Day', interval: 1 } },
  });
  await call('jobs.run', GROUP, 'c1', 'now');
  await until('two executions', async () => {
    const { body } = await quietly('jobs.listJobHistory', GROUP, 'c1', 'now');
    return body.length === 2;
  });
  await call('jobs.get', GROUP, 'c1', 'now');
  await call('jobs.listJobHistory', GROUP, 'c1', 'now', { filter: 'status eq Completed' });
  const newest = await call('jobs.listJobHistory', GROUP, 'c1', 'now', { top: 1 });
  await call('jobs.listJobHistoryNext', newest.nextLink);
  await call('jobs.list', GROUP, 'c1', { filter: 'state eq Disabled' });
  const first = await call('jobs.list', GROUP, 'c1', { top: 1 });
  await call('jobs.listNext', first.nextLink);
  await call('jobs.deleteMethod', GROUP, 'c1', 'now');
  await call('jobs.get', GROUP, 'c1', 'now');
  await call('jobs.createOrUpdate', GROUP, 'c1', 'bad', {
    properties: { ...once.properties, recurrence: { frequency: 'Week', schedule: { monthDays: [1] } } },
  });
}

async function main() {
  print('operations', { result: operations() });
  await collections();
  await jobs();
  await call('jobCollections.deleteMethod', GROUP, 'c1');
  await call('jobCollections.get', GROUP, 'c1');
  await call('jobCollections.beginDeleteMethod', GROUP, 'page0');
}

main().catch((e) => {
  process.stderr.write(`${e.stack}\n`);
  process.exitCode = 1;
});
