-- epoch_fence (a fragment, pulled in by "-- include: epoch_fence"): read which epochs of a collection are over in this partition.
-- A collection begins with epoch 0 and gets the next one when it is deleted and made again, and when its limits change. Who
-- writes a job says which epoch of the collection it knows, and a job keeps the one it was written in (absent for 0).
-- fences  hash  {17}:epochs   collection -> "<retired> <dead>"; absent for nearly all, and one that cannot be read counts as none
-- returns retired  writers that know this epoch or an older one must ask again, -1 for none
--         dead     jobs of this epoch or an older one were deleted with their collection, -1 for none
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
