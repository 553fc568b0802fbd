-- run_job: add an execution outside the schedule, due at this instant.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] hash  {17}:epochs
-- KEYS[4] stream {17}:audit
-- ARGV[1] text  run, up to its revision   "run:<job> at=<ISO> occurrence=0 main=1 revision="
-- ARGV[2] int   due                       epoch ms
-- ARGV[3] text  requested                 the instant in run, ISO with nine digits
-- ARGV[4..5]                              see audit_append
-- returns text: WAITING, MISSING, FINAL, or "LATER <requested>": the instant of another such run, after which this one's must be.
--         Fails where the job's key holds another type
-- cost    O(log n)
-- include: checked_call
-- include: epoch_fence
-- include: audit_append
local job, due = KEYS[1], KEYS[2]
local run, due_at, requested = ARGV[1], ARGV[2], ARGV[3]

local key = string.match(run, '^run:(%S+)')
local _, dead = fence_of(KEYS[3], key)
local current = redis.call('HMGET', job, 'revision', 'state', 'epoch', 'attemptRevision', 'requestedAt')
local revision, state = current[1], current[2]
if not revision or (tonumber(current[3]) or 0) <= dead then return 'MISSING' end
if state == 'completed' or state == 'faulted' then return 'FINAL' end
-- Two at one instant would be one execution.
if current[5] and current[5] >= requested then return 'LATER ' .. current[5] end
checked_call('ZADD', due, due_at, run .. (current[4] or revision) .. ' crashes=0')
redis.pcall('HINCRBY', job, 'openExecutions', 1)
redis.call('HSET', job, 'requestedAt', requested)
audit_append(KEYS[4], 4, key)
return 'WAITING'
