-- reseal: replace a definition by the same one sealed with another key, if it has not changed meanwhile.
-- KEYS[1] hash  {17}:job:<job> or collection:<coll>
-- ARGV[1] text  definition as it was read
-- ARGV[2] text  definition as it is to be
-- returns text: SEALED, or CHANGED when the first is not there any more
-- cost    O(size of the definition)
if redis.call('HGET', KEYS[1], 'definition') ~= ARGV[1] then return 'CHANGED' end
redis.call('HSET', KEYS[1], 'definition', ARGV[2])
return 'SEALED'
