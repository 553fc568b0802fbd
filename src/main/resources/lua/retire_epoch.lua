-- retire_epoch: end an epoch of a collection in this partition, because its limits changed or it was deleted. Writers that know only this
-- epoch or an older one are refused. Jobs of a deleted collection are gone immediately; sweep_jobs removes what remains of them.
-- KEYS[1] hash  {17}:epochs          collection -> "<retired> <dead>"
-- KEYS[2] zset  {17}:jobs:<coll>
-- KEYS[3] zset  {17}:deleted:<coll>@<epoch>
-- KEYS[4] zset  {17}:list:collection:<coll>
-- KEYS[5] zset  {17}:lists
-- ARGV[1] text  collection   "<sub>/<group>/<coll>"
-- ARGV[2] int   epoch        that ends
-- ARGV[3] text  what         happened to the collection: deleted | changed
-- returns word: RETIRED; UNCHANGED if it had already ended
-- cost    O(1)
-- include: checked_call
-- include: epoch_fence
local fences, index, deleted_index, held, lists = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local collection, epoch, deleted = ARGV[1], tonumber(ARGV[2]), ARGV[3] == 'deleted'

local retired, dead = fence_of(fences, collection .. '/')
if epoch <= (deleted and dead or retired) then return 'UNCHANGED' end
redis.call('HSET', fences, collection, math.max(epoch, retired) .. ' ' .. (deleted and epoch or dead))
if deleted then
  if redis.call('EXISTS', index) == 1 then redis.call('RENAME', index, deleted_index) end
  redis.call('UNLINK', held)
  checked_call('ZREM', lists, 'collection:' .. collection)
end
return 'RETIRED'
