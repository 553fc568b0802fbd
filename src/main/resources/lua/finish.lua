-- finish: record the outcome of a claimed attempt and decide what follows. A compare-and-set on the claim.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] hash  {17}:job:<job>
-- KEYS[3] zset  {17}:due
-- KEYS[4] list  {17}:history:<job>
-- KEYS[5] zset  {17}:jobs:<coll>
-- ARGV[1] text  run         the claim
-- ARGV[2] text  following   the run that waits next (a retry or the error action), '' when the execution ends
-- ARGV[3] int   due         epoch ms of following
-- ARGV[4] int   executions  to add: 1 with the first attempt of an execution
-- ARGV[5] int   failures    to add: 1 for a failed attempt of the main action
-- ARGV[6] int   faulted     to add: 1 when the main action's attempts are used up
-- ARGV[7] int   skipped     to add: 1 when nothing was performed
-- ARGV[8] text  started     ISO: actual start; '' when nothing was sent
-- ARGV[9] text  once        the state (completed, faulted) that the end of this run means for the job: given for the
--                           scheduled run of a one-time job, '' otherwise
-- ARGV[10] int  purge       epoch ms at which the job is purged if it becomes final
-- ARGV[11] text entry       history entry
-- ARGV[12..14]  bounds of the history: entries, bytes, oldest (ISO)
-- returns word: the job's final state when this was its end, else DONE; LOST when the claim is no longer held; GONE when
--         the job was deleted
-- cost    O(log n)
-- include: history
local claims, job, due, history, index = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local run, following, due_at, started, once = ARGV[1], ARGV[2], ARGV[3], ARGV[8], ARGV[9]

if redis.call('HDEL', claims, run) == 0 then return 'LOST' end
local current = redis.call('HMGET', job, 'revision', 'incarnation', 'state', 'exhausted')
local revision, incarnation, state, exhausted = current[1], current[2] or current[1], current[3], current[4]
if not revision then return 'GONE' end
append_history(history, job, ARGV[11], {entries = tonumber(ARGV[12]), bytes = tonumber(ARGV[13]), oldest = ARGV[14]})

local run_revision = string.match(run, ' revision=(%d+)')
if tonumber(run_revision) < tonumber(incarnation) then return 'DONE' end
for field, value in pairs({executions = ARGV[4], failures = ARGV[5], faulted = ARGV[6], skipped = ARGV[7]}) do
  if value ~= '0' then redis.call('HINCRBY', job, field, value) end
end
if started ~= '' and ARGV[4] ~= '0' then redis.call('HSET', job, 'last', started) end
if following ~= '' then
  redis.call('ZADD', due, due_at, following)
  return 'DONE'
end

if run_revision ~= revision then return 'DONE' end
local open = redis.call('HINCRBY', job, 'open', -1)
if once ~= '' then exhausted = once end
if not exhausted then return 'DONE' end
if open > 0 then
  redis.call('HSET', job, 'exhausted', exhausted)
  return 'DONE'
end
local final = exhausted == 'faulted' and 'faulted' or 'completed'
local key = string.match(run, '^run:(%S+)')
local name = string.match(key, '[^/]+$')
redis.call('ZREM', index, state .. '/' .. name)
redis.call('ZADD', index, 0, final .. '/' .. name)
redis.call('HDEL', job, 'next', 'open', 'exhausted')
redis.call('HSET', job, 'state', final)
redis.call('ZREM', due, 'job:' .. key)
redis.call('ZADD', due, ARGV[10], 'purge:' .. key)
return final
