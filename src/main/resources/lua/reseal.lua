-- reseal: replace a definition by the same one, sealed with another key, unless it has changed in the meantime.
-- KEYS[1] hash  {17}:job:<job> or collection:<coll>
-- ARGV[1] text  definition as it was read
-- ARGV[2] text  definition to write
-- returns text: SEALED, or CHANGED if the first one is no longer stored
-- cost    O(size of the definition)
if redis.call('HGET', KEYS[1], 'definition') ~= ARGV[1] then return 'CHANGED' end
redis.call('HSET', KEYS[1], 'definition', ARGV[2])
return 'SEALED'
