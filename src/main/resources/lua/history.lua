-- history (a fragment, pulled in by "-- include: history"): append an entry to a job's history and keep it in bounds.
-- key     list  history  newest first; each entry is JSON that begins with {"end":"<ISO, milliseconds>"
-- key     hash  job      field historyBytes: the sum of the entries' lengths
-- bounds  {entries, bytes, oldest}: most entries, most bytes, and the ISO instant before which an entry is dropped
-- cost    O(1): at most 16 entries are dropped per append
local function append_history(history, job, entry, bounds)
  local count = redis.call('LPUSH', history, entry)
  local bytes = redis.call('HINCRBY', job, 'historyBytes', #entry)
  for _ = 1, 16 do
    local last = redis.call('LINDEX', history, -1)
    local expired = string.sub(last, 9, 32) < bounds.oldest
    if count <= 1 or not (count > bounds.entries or bytes > bounds.bytes or expired) then return end
    redis.call('RPOP', history)
    count = count - 1
    bytes = redis.call('HINCRBY', job, 'historyBytes', -#last)
  end
end
