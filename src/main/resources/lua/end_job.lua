-- end_job (a fragment, pulled in by "-- include: end_job"): move an ended job in the index of its collection.
-- index   zset  {17}:jobs:<coll>
-- was, is text  former and new member of the index, "<state>/<job name>"
-- returns nothing
-- cost    O(log n)
-- This order detects a refused command before the index loses the job. A repetition adds nothing and leaves the job there.
-- A job that was deleted with its collection, but not swept yet, is in no index.
local function move_in_index(index, was, is)
  local added = was ~= is and redis.call('ZADD', index, '0', is)
  if added and redis.call('ZREM', index, was) == 0 and added == 1 then redis.call('ZREM', index, is) end
end
