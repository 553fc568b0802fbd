-- history (a fragment, pulled in by "-- include: history"): append an entry to a job's history and keep it within bounds. The newest entry is the
-- job's field latest. The list holds the older ones, so a job with one entry has no list.
-- history list  {17}:history:<job>, newest first. Each entry is JSON that begins with {"end":"<ISO, milliseconds>"
-- latest  text  the job's field, false for none. This entry moves to the list now
-- bytes   int   the job's field historyBytes, false for none: the total length of the list's entries
-- bounds  text  "<entries> <bytes> <oldest>": maximum entries, maximum bytes, and the ISO instant before which an entry is dropped
-- fields  names and values of the job's fields for the caller to write. Gets latest and historyBytes
-- cost    O(1): at most 16 entries are dropped per append
-- needs   checked_call
local function append_history(history, latest, bytes, entry, bounds, fields)
  local total = tonumber(bytes) or 0
  if latest then
    local most_entries, most_bytes, oldest = string.match(bounds, '^(%d+) (%d+) (%S*)$')
    local count = checked_call('LPUSH', history, latest)
    total = (count == 1 and 0 or total) + #latest
    for _ = 1, 16 do
      if count == 0 then break end
      local last = redis.call('LINDEX', history, -1)
      local expired = string.sub(last, 9, 32) < oldest
      if not (count + 1 > tonumber(most_entries) or total + #entry > tonumber(most_bytes) or expired) then break end
      redis.call('RPOP', history)
      count = count - 1
      total = total - #last
    end
  end
  fields[#fields + 1] = 'latest'
  fields[#fields + 1] = entry
  if bytes or total > 0 then
    fields[#fields + 1] = 'historyBytes'
    fields[#fields + 1] = total
  end
end
