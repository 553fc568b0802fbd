-- read_history: return the newest entries of a job's history.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] list  {17}:history:<job>
-- KEYS[3] hash  {17}:epochs   fences of collections
-- ARGV[1] text  key of the job
-- ARGV[2] int   limit         maximum number of entries, 0 for all
-- returns {entries}: an array of them, newest first. Nothing if the job does not exist. A key that holds another type
--         counts as empty; the next write of the job moves it aside
-- cost    O(entries)
-- include: checked_call
-- include: epoch_fence
local job, history, key, limit = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])

local _, dead = fence_of(KEYS[3], key)
local at = redis.pcall('HMGET', job, 'revision', 'epoch', 'latest', 'historyBytes')
if not at.err and (not at[1] or dead >= 0 and (tonumber(at[2]) or 0) <= dead) then return {} end
local entries = {at[3] or nil}
-- Without historyBytes there is no list.
if (at.err or at[4]) and (limit == 0 or limit > #entries) then
  local last = limit == 0 and -1 or limit - #entries - 1
  local older = redis.pcall('LRANGE', history, 0, last)
  for _, entry in ipairs(older.err and {} or older) do entries[#entries + 1] = entry end
end
return {entries}
