-- quarantine: put away an unreadable claim or a meaningless entry of finished, and fault the job if it is damaged.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] hash  {17}:quarantine    claim or entry -> since when (ISO), and why; at most 1000
-- KEYS[3] list  {17}:finished      such an entry is not claimed, but removed from here
-- KEYS[4] hash  {17}:job:<job>     only if the job is damaged
-- KEYS[5] zset  {17}:jobs:<coll>
-- KEYS[6] list  {17}:history:<job>
-- KEYS[7] zset  {17}:due
-- ARGV[1] text  claim, or "purge:" and an entry of finished
-- ARGV[2] text  since and why
-- ARGV[3] text  name of the job    the last part of its key, folded
-- ARGV[4] text  entry              history entry
-- ARGV[5] text  bounds             of the history
-- ARGV[6] text  ended              entry to add to finished with the job
-- derived hash  {17}:executions:<job>, zset {17}:list:execution: see overlap
-- returns word: DONE, or LOST if the claim or the entry no longer exists
-- cost    O(log n)
-- include: checked_call
-- include: history
-- include: unclaimed
-- include: overlap
local claims, aside, finished, job, index, history, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local found = checked_call('HDEL', claims, ARGV[1])
if string.sub(ARGV[1], 1, 6) == 'purge:' then found = found + checked_call('LREM', finished, 1, string.sub(ARGV[1], 7)) end
if found == 0 then return 'LOST' end
if checked_call('HLEN', aside) < 1000 then checked_call('HSET', aside, unclaimed(ARGV[1]), ARGV[2]) end
if not job then return 'DONE' end

local at = checked_call('HMGET', job, 'historyBytes', 'definition', 'revision', 'latest', 'attemptRevision')
end_execution(job, due, ARGV[1], at[5] or at[3])
if not (at[2] or at[3]) then return 'DONE' end
local listed = 0 -- in any state, because the state may be damaged; in none if its collection was deleted
for _, state in ipairs({'enabled', 'disabled', 'completed', 'faulted'}) do listed = listed + checked_call('ZREM', index, state .. '/' .. ARGV[3]) end
if listed > 0 then checked_call('ZADD', index, 0, 'faulted/' .. ARGV[3]) end
redis.call('HDEL', job, 'next', 'local', 'openExecutions', 'lastOccurrenceTaken', 'attemptRevision', 'heldAttempt')
local fields = {'state', 'faulted'}
append_history(history, at[4], at[1], ARGV[4], ARGV[5], fields)
redis.call('HSET', job, unpack(fields))
checked_call('RPUSH', finished, ARGV[6])
return 'DONE'
