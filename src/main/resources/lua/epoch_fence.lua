-- epoch_fence (a fragment, pulled in by "-- include: epoch_fence"): read which epochs of a collection have ended in this partition.
-- A collection begins with epoch 0. It gets the next one when it is deleted and created again, and when its limits change. The writer
-- of a job states the epoch of the collection that it knows. The job keeps the epoch in which it was written (absent for 0).
-- Writers that know a retired epoch or an older one must ask again. Jobs of a dead epoch or an older one were deleted with their collection.
-- Almost all collections have no fence. An unreadable fence counts as none.
-- fences  hash  {17}:epochs   collection -> "<retired> <dead>"
-- returns retired  epoch, -1 for none
--         dead     epoch, -1 for none
-- cost    O(1)
-- needs   checked_call
local function fence_of(fences, job)
  if redis.call('EXISTS', fences) == 0 then return -1, -1 end
  local fence = checked_call('HGET', fences, string.match(job, '^(.*)/'))
  if not fence then return -1, -1 end
  local retired, dead = string.match(fence, '^(%-?%d+) (%-?%d+)$')
  if not retired or #retired > 18 or #dead > 18 then return -1, -1 end
  return tonumber(retired), tonumber(dead)
end
