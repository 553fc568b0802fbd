-- hold_for_job: hold a claimed attempt of a disabled one-time job, as a field of the job, until the job is enabled. If the job is already enabled
-- or was changed, the attempt is due again.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] hash  {17}:job:<job>
-- KEYS[3] zset  {17}:due
-- ARGV[1] text  claim
-- ARGV[2] int   due   epoch ms
-- returns word: HELD, DUE or LOST
-- cost    O(log n)
-- include: checked_call
-- include: unclaimed
local claims, job, due, claim = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
if checked_call('HDEL', claims, claim) == 0 then return 'LOST' end
local attempt = unclaimed(claim)
local at = checked_call('HMGET', job, 'state', 'revision', 'attemptRevision')
if at[1] == 'disabled' and string.match(attempt, ' revision=(%d+)') == (at[3] or at[2]) then
  redis.call('HSET', job, 'heldAttempt', attempt)
  return 'HELD'
end
checked_call('ZADD', due, ARGV[2], attempt)
return 'DUE'
