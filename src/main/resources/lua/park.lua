-- park: let a claimed attempt wait for a flow; where its job was changed or deleted since it was claimed, the attempt is due again, to be judged
-- anew: the change found it in no list.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:waiting:<flow>   attempt -> score
-- KEYS[3] zset  {17}:flows            flows for which something waits here -> 0
-- KEYS[4] hash  {17}:job:<job>
-- KEYS[5] zset  {17}:due
-- ARGV[1] text  claim
-- ARGV[2] text  flow
-- ARGV[3] int   score     epoch ms at which it was due, less the lead of its priority; the least is first
-- ARGV[4] text  revision  of the job when it was claimed
-- ARGV[5] int   due       epoch ms at which it is due again
-- returns word: PARKED, DUE or LOST
-- cost    O(log n)
-- include: checked_call
-- include: unclaimed
local claims, waiting, flows, job, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local claim, flow, score, revision, due_at = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if checked_call('HDEL', claims, claim) == 0 then return 'LOST' end
-- A key of another type has no revision either: who claims the attempt next finds that.
if redis.pcall('HGET', job, 'revision') ~= revision then
  checked_call('ZADD', due, due_at, unclaimed(claim))
  return 'DUE'
end
checked_call('ZADD', waiting, score, unclaimed(claim))
checked_call('ZADD', flows, 0, flow)
return 'PARKED'
