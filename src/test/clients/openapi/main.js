'use strict';

// Checks a description of an API against the rules of redocly.yaml:
//   node main.js lint FILE
// Prints one line of JSON for each rule that is broken: where, which, and how.

const path = require('path');
const { getLineColLocation, lint, loadConfig } = require('@redocly/openapi-core');

async function lintFile(file) {
  const config = await loadConfig({ configPath: path.join(__dirname, 'redocly.yaml') });
  for (const problem of await lint({ ref: path.resolve(file), config })) {
    const [location] = problem.location;
    const line = getLineColLocation(location).start.line;
    print({ line, at: location.pointer, rule: problem.ruleId, message: problem.message });
  }
}

function print(outcome) {
  process.stdout.write(JSON.stringify(outcome) + '\n');
}

const [command, ...args] = process.argv.slice(2);
const commands = { lint: lintFile };
commands[command](...args).catch((e) => {
  process.stderr.write(e.stack + '\n');
  process.exitCode = 1;
});
