-- revoke_key: remove an API key.
-- KEYS[1] hash  {access}:keys     id -> JSON
-- KEYS[2] hash  {access}:clients  client, folded -> ids of its keys
-- KEYS[3] hash  {access}:lastused  id -> last use (epoch ms)
-- ARGV[1] text  id
-- returns int: 1 if it existed
-- cost    O(1)
local keys, clients, last_used, id = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

local json = redis.call('HGET', keys, id)
if not json then return 0 end
local client = string.lower(cjson.decode(json).client)
local kept = {}
for other in string.gmatch(redis.call('HGET', clients, client) or '', '%S+') do
  if other ~= id then kept[#kept + 1] = other end
end
if #kept == 0 then
  redis.call('HDEL', clients, client)
else
  redis.call('HSET', clients, client, table.concat(kept, ' '))
end
redis.call('HDEL', keys, id)
redis.call('HDEL', last_used, id)
return 1
