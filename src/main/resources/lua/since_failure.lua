-- since_failure: find out how the action of a failed job went since.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] list  {17}:history:<job>
-- KEYS[3] hash  {17}:epochs   fences of collections
-- ARGV[1] text  key of the job
-- ARGV[2] int   limit         1..32: history entries to read
-- returns GONE       the job does not exist, or has no history: then it is another job of the same name
--         RECOVERED  the newest attempt of its action succeeded
--         FAILING    otherwise. Error actions and skipped occurrences do not count
-- cost    O(limit * size of an entry); usually one entry is read
-- include: checked_call
-- include: epoch_fence
local job, history, key, limit = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local ERROR_ACTION = ',"action":"error"'

local _, dead = fence_of(KEYS[3], key)
local at = redis.pcall('HMGET', job, 'revision', 'epoch', 'latest', 'historyBytes')
if not at.err and (not at[1] or dead >= 0 and (tonumber(at[2]) or 0) <= dead) then return 'GONE' end

-- Returns the status of an attempt of the main action; nil for any other entry.
local function status_of(entry)
  local status, rest = string.match(entry, '^{"end":"[^"]*","start":"[^"]*","due":"[^"]*","status":"(%l+)"()')
  if not status or status == 'skipped' or string.sub(entry, rest, rest + #ERROR_ACTION - 1) == ERROR_ACTION then return nil end
  return status
end

local newest = not at.err and at[3] or nil
local status = newest and status_of(newest)
local looked = newest and 1 or 0
-- Without historyBytes there is no list.
if not status and (at.err or at[4]) and limit > looked then
  local older = redis.pcall('LRANGE', history, 0, limit - looked - 1)
  for _, entry in ipairs(older.err and {} or older) do
    looked = looked + 1
    status = status or status_of(entry)
  end
end
if looked == 0 then return 'GONE' end
return status == 'completed' and 'RECOVERED' or 'FAILING'
