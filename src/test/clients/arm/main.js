'use strict';

// Drives every operation of the ARM client against the API at the given base address:
//   node main.js BASE
// Prints one line of JSON for each: operation, status, and its result as the client understood it, or error.

const Scheduler = require('azure-arm-scheduler');
const { TokenCredentials } = require('ms-rest');

const client = new Scheduler(new TokenCredentials('unused'), 's1', process.argv[2]);

function print(operation, outcome) {
  process.stdout.write(JSON.stringify({ operation, ...outcome }) + '\n');
}

/** Calls `group.method(...args)` of the client and prints what came of it; answers its result. */
async function call(operation, ...args) {
  const [group, method] = operation.split('.');
  try {
    const { response, body } = await client[group][`${method}WithHttpOperationResponse`](...args);
    print(operation, { status: response.statusCode, result: body });
    return body;
  } catch (e) {
    print(operation, { status: e.statusCode, error: { code: e.code, message: e.message } });
    return undefined;
  }
}

async function main() {
  await call('jobCollections.createOrUpdate', 'g1', 'c1', { location: 'westus' });
  await call('jobCollections.get', 'g1', 'c1');
}

main().catch((e) => {
  process.stderr.write(`${e.stack}\n`);
  process.exitCode = 1;
});
