-- release_held: make the attempts due that were held back for a collection which is enabled again, or for a flow that is gone: now, or at the
-- instant for which they are held if the clock was set back before it.
-- KEYS[1] zset  {17}:held:<coll>   or waiting:<flow>: attempt -> epoch ms at which it was due, for a flow less the lead of its priority
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   now    epoch ms
-- ARGV[2] int   limit  1..256
-- ARGV[3] text  scores 'instants'; '' of those for a flow, which a priority moves: all of them were due
-- returns int   how many were moved; fewer than limit means that none is left
-- cost    O(limit * log n)
-- include: checked_call
local attempts = checked_call('ZPOPMIN', KEYS[1], ARGV[2])
for i = 1, #attempts, 2 do
  local at = ARGV[3] == 'instants' and math.max(ARGV[1], attempts[i + 1]) or ARGV[1]
  checked_call('ZADD', KEYS[2], string.format('%.0f', at), attempts[i])
end
return #attempts / 2
