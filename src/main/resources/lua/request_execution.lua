-- request_execution: add an execution outside the schedule, due at this instant.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] hash  {17}:epochs
-- KEYS[4] stream {17}:audit
-- ARGV[1] text  attempt                   up to its revision: "run:<job> at=<ISO> occurrence=0 main=1 revision="
-- ARGV[2] int   due                       epoch ms
-- ARGV[3] text  requested                 the instant in attempt, ISO with nine digits
-- ARGV[4..5]                              see audit_append
-- ARGV[6] text  overlap                   "skip" if it must not be performed beside another execution; '' otherwise
-- ARGV[7] text  once                      identifies this request and its repeats; '' for none
-- derived hash  {17}:executions:<job>, zset {17}:list:execution: see overlap; only with "skip"
-- derived zset  {17}:requests:<job>: "<once>" and "<once> <revision> <requested>" -> due (epoch ms), the last 1,000 of each; only with once.
--               Expires a day after the last
-- returns text: "WAITING <revision>" of the attempt, "REPEATED <revision> <requested>" of the first if this request was made within a day,
--         MISSING, FINAL, OVERLAP if another execution is under way or waits, or "LATER <requested>": the instant of another such request, after
--         which this one's must be.
--         Fails if the job's key holds another type
-- cost    O(log n)
-- include: checked_call
-- include: epoch_fence
-- include: audit_append
local job, due = KEYS[1], KEYS[2]
local attempt, due_at, requested = ARGV[1], ARGV[2], ARGV[3]

local key = string.match(attempt, '^run:(%S+)')
local _, dead = fence_of(KEYS[3], key)
local current = redis.call('HMGET', job, 'revision', 'state', 'epoch', 'attemptRevision', 'requestedAt')
local revision, state = current[1], current[2]
if not revision or dead >= 0 and (tonumber(current[3]) or 0) <= dead then return 'MISSING' end

local once, requests = ARGV[7], (string.gsub(job, ':job:', ':requests:', 1))
local DAY, REMEMBERED = 86400000, 1000
if once ~= '' then
  local made = tonumber(checked_call('ZSCORE', requests, once))
  if made and made > tonumber(due_at) - DAY then
    for _, request in ipairs(redis.call('ZRANGE', requests, made, made, 'BYSCORE')) do
      local known, first = string.match(request, '^(%S+) (%S+ %S+)$')
      if known == once then return 'REPEATED ' .. first end
    end
  end
end
if state == 'completed' or state == 'faulted' then return 'FINAL' end
-- Two requests at one instant would be one execution.
if current[5] and current[5] >= requested then return 'LATER ' .. current[5] end
-- The audit entry is the first write: a change that cannot be logged is not made.
if ARGV[6] == 'skip' then
-- include: overlap
  local at = redis.call('HMGET', job, 'openExecutions', 'next', 'definition')
  local is_begun = at[2] and not state and not checked_call('ZSCORE', due, 'job:' .. key)
  local under_way, waiting = other_executions(job, due, current[4] or revision)
  if under_way + #waiting > 0 or (tonumber(at[1]) or 0) > 0 or is_begun then return 'OVERLAP' end
  local is_read, definition = pcall(cjson.decode, at[3] or '')
  audit_append(KEYS[4], 4, key)
  if is_read and definition.overlap then
    checked_call('HSET', executions_of(job), execution_of(attempt .. (current[4] or revision)), 'waiting')
  end
else
  audit_append(KEYS[4], 4, key)
end
checked_call('ZADD', due, due_at, attempt .. (current[4] or revision) .. ' crashes=0')
redis.pcall('HINCRBY', job, 'openExecutions', 1)
redis.call('HSET', job, 'requestedAt', requested)
if once ~= '' then
  redis.call('ZADD', requests, due_at, once, due_at, once .. ' ' .. (current[4] or revision) .. ' ' .. requested)
  redis.call('ZREMRANGEBYRANK', requests, 0, -1 - 2 * REMEMBERED)
  redis.call('PEXPIRE', requests, DAY)
end
return 'WAITING ' .. (current[4] or revision)
