-- add_key: store a new API key, unless its client has two valid keys or there are too many keys.
-- KEYS[1] hash  {access}:keys     id -> JSON
-- KEYS[2] hash  {access}:clients  client, folded -> ids of its keys, newest last, separated by blanks; at most two
-- KEYS[3] hash  {access}:lastused  id -> last use (epoch ms)
-- ARGV[1] text  id
-- ARGV[2] text  client    folded
-- ARGV[3] text  key       JSON
-- ARGV[4] text  now       ISO, UTC, to the second
-- ARGV[5] int   max       number of keys
-- returns text: ADDED; EXISTS if a key has this id; CLIENT if its client has two valid keys; FULL. Expired keys of the client are
--         removed.
-- cost    O(1)
local keys, clients, last_used = KEYS[1], KEYS[2], KEYS[3]
local id, client, key, now, max = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

if redis.call('HEXISTS', keys, id) == 1 then return 'EXISTS' end
local kept = {}
for old in string.gmatch(redis.call('HGET', clients, client) or '', '%S+') do
  local json = redis.call('HGET', keys, old)
  local expires = json and cjson.decode(json).expires
  if json and (not expires or expires > now) then
    kept[#kept + 1] = old
  else
    redis.call('HDEL', keys, old)
    redis.call('HDEL', last_used, old)
  end
end
if #kept >= 2 then return 'CLIENT' end
if redis.call('HLEN', keys) >= max then return 'FULL' end
kept[#kept + 1] = id
redis.call('HSET', keys, id, key)
redis.call('HSET', clients, client, table.concat(kept, ' '))
return 'ADDED'
