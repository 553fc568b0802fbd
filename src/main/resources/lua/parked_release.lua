-- parked_release (a fragment, pulled in by "-- include: parked_release"): have the attempts of changed or deleted jobs that wait for flows released.
-- Claims hand the entry to a node, which walks the lists in slices with release_list and then removes the entry. Released attempts are
-- judged anew when they are claimed, and may pass another flow, or none.
-- due    {17}:due; derived from its key {17}:lists, which exists while attempts wait in lists
-- jobs   key of the job, or "<sub>/<group>/<coll>/*"
-- at     epoch ms
-- returns nothing
-- cost   O(log n)
-- needs  checked_call
local function release_parked(due, jobs, at)
  if redis.call('EXISTS', (string.gsub(due, 'due$', 'lists'))) == 1 then checked_call('ZADD', due, at, 'release:' .. jobs) end
end
