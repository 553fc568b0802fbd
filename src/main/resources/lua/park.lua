-- park: move a claimed attempt to a waiting list. If its reason to wait is gone, the attempt is due again, to be judged anew.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:list:<cause>   attempt -> score
-- KEYS[3] zset  {17}:lists          causes whose lists have members -> 0
-- KEYS[4] zset  {17}:due
-- KEYS[5] hash  {17}:job:<job>
-- KEYS[6] hash  {17}:gates
-- ARGV[1] text  claim
-- ARGV[2] text  cause     flow:<lane>, unless the job was changed or deleted since the claim: its change found the attempt in no list;
--                         or collection:<marker>, if that is the widest marker that disables the job's collection
-- ARGV[3] int   score     epoch ms; the least is first
-- ARGV[4] text  revision  of the job when it was claimed
-- ARGV[5] text  now       ISO
-- ARGV[6] int   due       epoch ms at which the attempt is due again
-- returns word: PARKED, DUE or LOST
-- cost    O(log n)
-- include: checked_call
-- include: unclaimed
-- include: closed_marker
local claims, list, lists, due, job, gates = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local claim, cause, score, revision, now, due_at = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if checked_call('HDEL', claims, claim) == 0 then return 'LOST' end
local attempt = unclaimed(claim)
local marker, holds = string.match(cause, '^collection:(.*)$'), nil
if marker then
  holds = closed_marker(gates, string.match(attempt, '^run:(%S+)/'), now) == marker
else
  holds = redis.pcall('HGET', job, 'revision') == revision -- a key of another type has none: the next claim finds that
end
if not holds then
  checked_call('ZADD', due, due_at, attempt)
  return 'DUE'
end
checked_call('ZADD', list, score, attempt)
checked_call('ZADD', lists, 0, cause)
return 'PARKED'
