-- recent_attempts: return the results of a job's newest attempts, without the responses.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] list  {17}:history:<job>
-- ARGV[1] int   limit   1..32: history entries to read
-- returns {start, end, status, ...}: three texts for each entry, newest first; instants in ISO 8601. Unreadable entries are left out, and
--         a key that holds another type counts as empty
-- cost    O(limit * size of an entry)
local job, history, limit = KEYS[1], KEYS[2], tonumber(ARGV[1])

local at = redis.pcall('HMGET', job, 'latest', 'historyBytes')
if at.err then return {} end
local entries = {at[1] or nil}
-- Without historyBytes there is no list.
if at[2] and limit > #entries then
  local older = redis.pcall('LRANGE', history, 0, limit - #entries - 1)
  for _, entry in ipairs(older.err and {} or older) do entries[#entries + 1] = entry end
end
local reply = {}
for _, entry in ipairs(entries) do
  local ended, began, status = string.match(entry, '^{"end":"(%d[^"]*)","start":"(%d[^"]*)","due":"[^"]*","status":"(%l+)"')
  if ended then
    local n = #reply
    reply[n + 1], reply[n + 2], reply[n + 3] = began, ended, status
  end
end
return reply
