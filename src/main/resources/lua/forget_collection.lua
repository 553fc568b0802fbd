-- forget_collection: remove the hash of a deleted collection, unless a collection with its name exists again.
-- KEYS[1] hash  collection:<sub>/<group>/<coll>
-- ARGV[1] int   epoch  that was deleted
-- returns word: FORGOTTEN or KEPT
-- cost    O(1)
local left = redis.call('HMGET', KEYS[1], 'deletedAt', 'epoch')
if not left[1] or (left[2] or '0') ~= ARGV[1] then return 'KEPT' end
redis.call('DEL', KEYS[1])
return 'FORGOTTEN'
