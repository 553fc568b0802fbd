// Drives a node through a client that is made of openapi.yaml. Whatever is sent or read here and is not described does not compile.
//   node generated/drive.js BASE TARGET
// Prints one line of JSON for each call: the operation, the status, and the result or the error.

import createClient from 'openapi-fetch';
import type { components, paths } from './generated/carillon';

type Schemas = components['schemas'];

const [base = '', target = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: base });
const job = { collection: 'default', job: 'clock' };

interface Answer<T> {
  data?: T;
  error?: Schemas['Error'];
  response: Response;
}

/** Prints what came of a call, and gives what it was answered with. */
async function call<T>(operation: string, asked: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await asked;
  const { data, error, response } = answer;
  console.log(JSON.stringify({ operation, status: response.status, result: data, error: error?.error }));
  return answer;
}

/** Asks for the history until the run is in it. */
async function awaitRun(): Promise<Schemas['HistoryEntry']> {
  for (let i = 0; i < 300; i++) {
    const { data } = await client.GET('/jobcollections/{collection}/jobs/{job}/history', { params: { path: job } });
    const newest = data?.value[0];
    if (newest !== undefined) {
      return newest;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the job did not run within 30 s');
}

async function jobs(): Promise<void> {
  const body: Schemas['Job'] = {
    startTime: new Date(Date.now() + 86_400_000).toISOString().slice(0, 19), // local, in the time zone
    timeZone: 'Europe/Berlin',
    action: { request: { method: 'POST', uri: target, body: { order: 4711 } }, retryPolicy: { retryCount: 1, retryInterval: '1s' } },
    recurrence: { cron: '0 9 * * MON-FRI' },
  };
  const put = await call('putJob', client.PUT('/jobcollections/{collection}/jobs/{job}', { params: { path: job }, body }));
  await call('getJob', client.GET('/jobcollections/{collection}/jobs/{job}', { params: { path: job } }));
  await call('listJobs', client.GET('/jobcollections/{collection}/jobs', { params: { path: job, query: { $top: 10 } } }));
  const header = { 'If-Match': put.response.headers.get('ETag') ?? 'none' };
  const patch = { params: { path: job, header }, body: { overlap: 'skip' } };
  await call('patchJob', client.PATCH('/jobcollections/{collection}/jobs/{job}', patch));
  await call('patchJob', client.PATCH('/jobcollections/{collection}/jobs/{job}', patch)); // the revision is of before
}

async function runs(): Promise<void> {
  await call('runJob', client.POST('/jobcollections/{collection}/jobs/{job}/run', { params: { path: job } }));
  const { id, statusCode } = await awaitRun();
  await call('listHistory', client.GET('/jobcollections/{collection}/jobs/{job}/history', {
    params: { path: job, query: { $filter: `statusCode eq ${statusCode}` } },
  }));
  await call('getHistoryEntry', client.GET('/jobcollections/{collection}/jobs/{job}/history/{entry}', {
    params: { path: { ...job, entry: id } },
  }));
  await call('listExecutions', client.GET('/executions', { params: { query: { state: 'completed', collection: 'default' } } }));
}

async function resources(): Promise<void> {
  const flow: Schemas['Flow'] = { match: ['api.crm.example'], parallelism: 10, rate: { limit: 100, per: '1s' } };
  await call('putFlow', client.PUT('/flows/{flow}', { params: { path: { flow: 'crm' } }, body: flow }));
  await call('getFlow', client.GET('/flows/{flow}', { params: { path: { flow: 'crm' } } }));
  await call('listFlows', client.GET('/flows'));
  const calendar: Schemas['Calendar'] = { timeZone: 'Europe/Berlin', spans: [{ date: '2090-12-25', name: 'Christmas Day' }] };
  await call('putCalendar', client.PUT('/calendars/{calendar}', { params: { path: { calendar: 'holidays' } }, body: calendar }));
  await call('getCalendar', client.GET('/calendars/{calendar}', { params: { path: { calendar: 'holidays' } } }));
  await call('listCalendars', client.GET('/calendars'));
}

async function ends(): Promise<void> {
  await call('deleteJob', client.DELETE('/jobcollections/{collection}/jobs/{job}', { params: { path: job } }));
  await call('getJob', client.GET('/jobcollections/{collection}/jobs/{job}', { params: { path: job } }));
}

async function main(): Promise<void> {
  await jobs();
  await runs();
  await resources();
  await ends();
}

main().catch((e: unknown) => {
  console.error(e);
  process.exitCode = 1;
});
