-- park: a claimed run waits for the gate of its collection.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:gated:<coll>   run -> epoch ms at which it was due
-- ARGV[1] text  run
-- ARGV[2] int   due  epoch ms
-- returns word: PARKED or LOST
-- cost    O(log n)
-- include: mend
if mend('HDEL', KEYS[1], ARGV[1]) == 0 then return 'LOST' end
mend('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 'PARKED'
