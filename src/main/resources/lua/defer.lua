-- defer: return the claim of an attempt that finds no place at its destination; it is due again when there may be one.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:due
-- ARGV[1] text  claim
-- ARGV[2] int   due        epoch ms
-- ARGV[3] text  authority  of the destination, under which it may be claimed earlier; '' for an attempt that passes a flow
-- derived zset  {17}:deferred:<authority>, zset {17}:deferrals, see deferral
-- returns int   1, or 0 when it was no longer claimed
-- cost    O(log n)
-- include: checked_call
-- include: unclaimed
-- include: deferral
local claims, due = KEYS[1], KEYS[2]
if checked_call('HDEL', claims, ARGV[1]) == 0 then return 0 end
local attempt = unclaimed(ARGV[1])
checked_call('ZADD', due, ARGV[2], attempt)
if ARGV[3] ~= '' then index_deferred(due, ARGV[3], {ARGV[2], attempt}) end
return 1
