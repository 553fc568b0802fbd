-- history (a fragment, pulled in by "-- include: history"): append an entry to a job's history and keep it in bounds.
-- history list  {17}:history:<job>, newest first; each entry is JSON that begins with {"end":"<ISO, milliseconds>"
-- bytes   int   the sum of the entries' lengths so far, nil for none
-- bounds  {entries, bytes, oldest}: most entries, most bytes, and the ISO instant before which an entry is dropped
-- returns int   the sum of the entries' lengths, for the job's field historyBytes
-- cost    O(1): at most 16 entries are dropped per append
-- needs   mend
local function append_history(history, bytes, entry, bounds)
  local count = mend('LPUSH', history, entry)
  bytes = count == 1 and #entry or (tonumber(bytes) or 0) + #entry
  for _ = 1, 16 do
    if count == 1 then break end
    local last = redis.call('LINDEX', history, -1)
    local expired = string.sub(last, 9, 32) < bounds.oldest
    if not (count > bounds.entries or bytes > bounds.bytes or expired) then break end
    redis.call('RPOP', history)
    count = count - 1
    bytes = bytes - #last
  end
  return bytes
end
