-- purge_job: remove a finished job that is no longer kept. A job that is active again, or has ended again since, is passed over.
-- Its entry in finished is removed in any case.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:jobs:<coll>
-- KEYS[3] list  {17}:history:<job>
-- KEYS[4] hash  {17}:epochs
-- KEYS[5] list  {17}:finished   "<epoch ms> <job>", in the order of their ends
-- ARGV[1] text  key of the job
-- ARGV[2] text  entry           of finished
-- ARGV[3] text  ended           instant of the entry, ISO with milliseconds: the end of the newest history entry, unless the job has ended again
-- returns word: PURGED or PASSED
-- cost    O(log n + length of the history + position of the entry, which is near the head)
-- include: checked_call
-- include: epoch_fence
local job, index, history, finished, key = KEYS[1], KEYS[2], KEYS[3], KEYS[5], ARGV[1]

checked_call('LREM', finished, 1, ARGV[2])
local _, dead = fence_of(KEYS[4], key)
local at = checked_call('HMGET', job, 'revision', 'state', 'epoch', 'latest')
local state = at[2]
if not at[1] or dead >= 0 and (tonumber(at[3]) or 0) <= dead then return 'PASSED' end -- jobs of a deleted collection are swept
if state ~= 'completed' and state ~= 'faulted' then return 'PASSED' end
if at[4] and string.sub(at[4], 9, 32) ~= ARGV[3] then return 'PASSED' end
checked_call('ZREM', index, state .. '/' .. string.match(key, '.*/(.*)'))
redis.call('UNLINK', job, history)
return 'PURGED'
