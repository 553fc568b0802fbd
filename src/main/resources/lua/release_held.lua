-- release_held: make the attempts due that were held back for a collection which is enabled again: now, or at their instant if the clock was
-- set back before it.
-- KEYS[1] zset  {17}:held:<coll>   run -> epoch ms at which it was due
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   now    epoch ms
-- ARGV[2] int   limit  1..256
-- returns int   how many were moved; fewer than limit means that none is left
-- cost    O(limit * log n)
-- include: checked_call
local runs = checked_call('ZPOPMIN', KEYS[1], ARGV[2])
for i = 1, #runs, 2 do checked_call('ZADD', KEYS[2], string.format('%.0f', math.max(ARGV[1], runs[i + 1])), runs[i]) end
return #runs / 2
