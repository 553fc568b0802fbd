// A test of one's own schedules with Node.js: starts Carillon with a virtual clock, makes a job, lets
// two days pass and counts the calls. Arguments: the program (carillon.jar).
'use strict';

const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const http = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

async function startCarillon(jar, now) {
  const dir = mkdtempSync(join(tmpdir(), 'carillon-test-'));
  const env = { ...process.env, CARILLON_HTTP_PORT: '0' };
  const child = spawn('java', ['-jar', jar, 'serve', `--virtual-time=${now}`], { cwd: dir, env });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', data => {
      said += data;
      const ready = /listening on (\S+)/.exec(said);
      if (ready) resolve(ready[1]);
    });
    child.on('exit', () => reject(new Error(said)));
  });
  const ask = async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    putJob: (name, job) => ask('PUT', `/jobcollections/default/jobs/${name}`, job),
    advance: by => ask('POST', '/clock/advance', { by }),
    stop: () => new Promise(resolve => {
      child.on('exit', () => { rmSync(dir, { recursive: true, force: true }); resolve(); });
      child.kill();
    }),
  };
}

async function main(jar) {
  const calls = [];
  const target = http.createServer((request, response) => { calls.push(request.headers['carillon-clock']); response.end(); });
  await new Promise(resolve => target.listen(0, '127.0.0.1', resolve));
  const carillon = await startCarillon(jar, '2027-03-27T00:00:00Z');
  try {
    await carillon.putJob('nightly', {
      timeZone: 'Europe/Berlin',
      recurrence: { cron: '30 2 * * *' },
      action: { type: 'http', request: { method: 'POST', uri: `http://127.0.0.1:${target.address().port}/` } },
    });
    const passed = await carillon.advance('P2D');
    console.log(JSON.stringify({ attempts: passed.attempts, at: passed.log.map(one => one.at), calls }));
  } finally {
    await carillon.stop();
    target.close();
  }
}

main(process.argv[2]).catch(error => { console.error(error); process.exit(1); });
