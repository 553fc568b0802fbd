'use strict';

// Verifies calls as a receiver does:
//   node main.js SECRET HEADERS BODY [HEADERS BODY ...]      HEADERS is an object in JSON
// Prints one line of JSON for each: verified, or why not.

const { Webhook } = require('standardwebhooks');

const [secret, ...calls] = process.argv.slice(2);
const webhook = new Webhook(secret);

for (let i = 0; i < calls.length; i += 2) {
  let outcome;
  try {
    webhook.verify(calls[i + 1], JSON.parse(calls[i]));
    outcome = { verified: true };
  } catch (e) {
    outcome = { verified: false, error: e.message };
  }
  process.stdout.write(JSON.stringify(outcome) + '\n');
}
