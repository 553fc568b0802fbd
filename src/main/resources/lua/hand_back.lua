-- hand_back: return claims of attempts that were not begun; they wait again as they are.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   due    epoch ms
-- ARGV[2..]     runs   1..256
-- returns int   how many were still held
-- cost    O(runs * log n)
-- include: mend
local claims, due = KEYS[1], KEYS[2]
local returned = 0
for i = 2, #ARGV do
  if mend('HDEL', claims, ARGV[i]) == 1 then
    mend('ZADD', due, ARGV[1], ARGV[i])
    returned = returned + 1
  end
end
return returned
