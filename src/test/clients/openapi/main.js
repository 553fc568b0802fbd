'use strict';

// Checks a description of an API against the rules of redocly.yaml:
//   node main.js lint FILE
// Prints one line of JSON for each rule that is broken: where, which, and how.
//
// Makes a client of a description, type-checks drive.ts with it, and runs that:
//   node main.js drive FILE BASE TARGET
// Prints what drive.ts prints.

const { execFileSync } = require('child_process');
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

/** Runs a program of a package to its end; throws with what it said unless that is good. */
function run(program, ...args) {
  try {
    return execFileSync(process.execPath, [path.join(__dirname, program), ...args], { cwd: __dirname, encoding: 'utf8' });
  } catch (e) {
    throw new Error(`${program}: ${e.stdout}${e.stderr}`);
  }
}

async function drive(file, base, target) {
  // A property with a default may be left out of a request.
  const options = ['--default-non-nullable=false', '--output', 'generated/carillon.ts'];
  run('node_modules/openapi-typescript/bin/cli.js', path.resolve(file), ...options);
  run('node_modules/typescript/bin/tsc', '--project', '.');
  process.stdout.write(run('generated/drive.js', base, target));
}

function print(outcome) {
  process.stdout.write(JSON.stringify(outcome) + '\n');
}

const [command, ...args] = process.argv.slice(2);
const commands = { lint: lintFile, drive };
commands[command](...args).catch((e) => {
  process.stderr.write(e.stack + '\n');
  process.exitCode = 1;
});
