-- note_activity: write the activity of a node in one minute so far. A repetition changes nothing.
-- KEYS[1] hash  activity:<minute>  node -> "<completed> <failed> <lateness counts, with commas>"; or destinations:<minute>, with a line for each
--                                  destination, "<host:port> <completed> <failed> <in flight> <duration counts>"
-- ARGV[1] text  node
-- ARGV[2] text  activity
-- ARGV[3] int   kept      ms for which the minute is kept, > 0
-- returns int: 1
-- cost    O(1)
local minute, node, activity, kept = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

redis.call('HSET', minute, node, activity)
redis.call('PEXPIRE', minute, kept)
return 1
