-- release: return claims of attempts that were not begun, or could not be finished. They are due again.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   due      epoch ms
-- ARGV[2] int   crashes  to add to each: 0 for an attempt that was not begun, else 1
-- ARGV[3..]     claims   1..256
-- returns int   number of attempts that were still claimed
-- cost    O(attempts * log n)
-- include: checked_call
-- include: unclaimed
local claims, due, crashes = KEYS[1], KEYS[2], tonumber(ARGV[2])
local returned = 0
for i = 3, #ARGV do
  if checked_call('HDEL', claims, ARGV[i]) == 1 then
    checked_call('ZADD', due, ARGV[1], crashed(unclaimed(ARGV[i]), crashes))
    returned = returned + 1
  end
end
return returned
