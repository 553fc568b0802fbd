-- delete_job: remove a job, its history and what waits for its instant. Retries of its executions are dropped when they are claimed.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] zset  {17}:jobs:<coll>
-- KEYS[4] list  {17}:history:<job>
-- KEYS[5] hash  {17}:epochs
-- KEYS[6] stream {17}:audit
-- ARGV[1] text  key of the job
-- ARGV[2] text  condition   any | the revision that must be current | final (the purge of a finished job)
-- ARGV[3] int   epoch       of the collection, as the caller knows it; '' for the purge, which does not ask
-- ARGV[4..5]                see note; the purge notes nothing
-- returns word: DELETED, MISSING, REFUSED or RETIRED: the caller must ask for the collection again
-- cost    O(log n + length of the history)
-- include: mend
-- include: epoch
-- include: note
local job, due, index, history, fences = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local key, condition = ARGV[1], ARGV[2]

local retired, dead = fence_of(fences, key)
if ARGV[3] ~= '' and tonumber(ARGV[3]) <= retired then return 'RETIRED' end
local current = mend('HMGET', job, 'revision', 'state', 'epoch', 'definition')
local revision, state = current[1], current[2]
if not revision or (tonumber(current[3]) or 0) <= dead then
  mend('ZREM', due, 'purge:' .. key)
  return 'MISSING'
end
local final = state == 'completed' or state == 'faulted'
if condition == 'final' and not final then
  mend('ZREM', due, 'purge:' .. key)
  return 'REFUSED'
end
if condition ~= 'any' and condition ~= 'final' and condition ~= 'present' and condition ~= revision then return 'REFUSED' end
mend('ZREM', index, (state or '') .. '/' .. string.match(key, '.*/(.*)'))
mend('ZREM', due, 'job:' .. key, 'purge:' .. key)
redis.call('UNLINK', job, history)
note(KEYS[6], 4, key, 'was', state or '', open_form('before', current[4] or '', ARGV[5]))
return 'DELETED'
