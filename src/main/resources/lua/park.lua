-- park: let claimed attempts wait for a flow.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:waiting:<flow>   attempt -> score
-- KEYS[3] zset  {17}:flows            flows for which something waits here -> 0
-- ARGV[1] text  flow
-- ARGV[2] int   score    epoch ms at which they were due, less the lead of their priority; the least is first
-- ARGV[3..]     claims   1..256
-- returns int   how many were still claimed
-- cost    O(attempts * log n)
-- include: checked_call
-- include: unclaimed
local claims, waiting, flows, flow, score = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
local parked = 0
for i = 3, #ARGV do
  if checked_call('HDEL', claims, ARGV[i]) == 1 then
    checked_call('ZADD', waiting, score, unclaimed(ARGV[i]))
    parked = parked + 1
  end
end
if parked > 0 then checked_call('ZADD', flows, 0, flow) end
return parked
