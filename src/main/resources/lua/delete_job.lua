-- delete_job: remove a job, its history and its due entry. Retries of its executions are dropped when they are claimed.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] zset  {17}:jobs:<coll>
-- KEYS[4] list  {17}:history:<job>
-- KEYS[5] hash  {17}:epochs
-- KEYS[6] stream {17}:audit
-- derived zset  {17}:lists, see parked_release
-- ARGV[1] text  key of the job
-- ARGV[2] text  condition   any | the revision that must be current
-- ARGV[3] int   epoch       of the collection, as the caller knows it
-- ARGV[4..5]                see audit_append
-- derived zset  {17}:requests:<job>, which is removed
-- returns word: DELETED; WITHDRAWN if it had attempts, which may be claimed but not sent; MISSING, REFUSED or RETIRED: the caller
--         must ask for the collection again
-- cost    O(log n + length of the history)
-- include: checked_call
-- include: epoch_fence
-- include: audit_append
-- include: parked_release
local job, due, index, history, fences = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local key, condition = ARGV[1], ARGV[2]

local retired, dead = fence_of(fences, key)
if tonumber(ARGV[3]) <= retired then return 'RETIRED' end
local current = redis.pcall('HMGET', job, 'revision', 'state', 'epoch', 'definition', 'openExecutions', 'next', 'claimedOccurrence', 'requestedAt', 'pause')
if current.err then -- a key of another type, which is moved aside: the state of the job is unknown
  if condition ~= 'any' and condition ~= 'present' then return 'REFUSED' end
  audit_append(KEYS[6], 4, key)
  checked_call('HLEN', job)
  local name = string.match(key, '.*/(.*)')
  for _, state in ipairs({'enabled', 'disabled', 'completed', 'faulted'}) do checked_call('ZREM', index, state .. '/' .. name) end
  checked_call('ZREM', due, 'job:' .. key)
  redis.call('UNLINK', history)
  return 'DELETED'
end
local revision, state = current[1], current[2] or 'enabled'
if not revision or dead >= 0 and (tonumber(current[3]) or 0) <= dead then return 'MISSING' end
if condition ~= 'any' and condition ~= 'present' and condition ~= revision then return 'REFUSED' end
-- First, because a change that cannot be logged is not made.
audit_append(KEYS[6], 4, key, 'was', state, audited_form('before', current[4] or '', ARGV[5]))
checked_call('ZREM', index, state .. '/' .. string.match(key, '.*/(.*)'))
local unclaimed = checked_call('ZREM', due, 'job:' .. key) == 1
if current[9] then redis.call('ZREM', due, 'resume:' .. key) end
redis.call('UNLINK', job, history)
if current[8] then redis.call('UNLINK', (string.gsub(job, ':job:', ':requests:', 1))) end
-- A new job of this name must get a later revision, so the old one is remembered. Two seconds are enough if nothing is in flight, because
-- then only the clock may not have advanced. Attempts in flight carry this revision or an earlier one. In that case it is remembered for longer
-- than any call lasts (dispatch.maxTimeout, at most an hour) and a node's clock can be behind.
local in_flight = current[5] or current[7] or current[8] or (current[6] and not unclaimed)
if in_flight then release_parked(due, key, 0) end
if #revision > 15 or not string.find(revision, '^%d+$') then revision = '0' end -- caused by a manual change or a bug
redis.call('HSET', job, 'deleted', revision)
if in_flight then redis.call('PEXPIRE', job, 7200000)
else redis.call('PEXPIREAT', job, string.format('%.0f', tonumber(revision) + 2000)) end
local attempted = (tonumber(current[5]) or 0) > 0 or (current[6] and not unclaimed)
return attempted and 'WITHDRAWN' or 'DELETED'
