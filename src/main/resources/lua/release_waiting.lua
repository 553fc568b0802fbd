-- release_waiting (a fragment, pulled in by "-- include: release_waiting"): make the attempts due that wait for flows and are of jobs that were
-- changed or deleted: they are judged anew when they are claimed, and may pass another flow, or none.
-- due    {17}:due, beside whose key those of the lists stand: zset {17}:flows, and {17}:waiting:<flow> of each of these
-- jobs   pattern of the keys of the jobs
-- at     epoch ms
-- returns nothing
-- cost   O(attempts that wait for flows in the partition), one command where none does
-- needs  checked_call
local function release_waiting(due, jobs, at)
  local slot = string.gsub(due, 'due$', '')
  for _, flow in ipairs(checked_call('ZRANGE', slot .. 'flows', 0, -1)) do
    local list, cursor = slot .. 'waiting:' .. flow, '0'
    repeat
      local page = checked_call('ZSCAN', list, cursor, 'MATCH', 'run:' .. jobs .. ' at=*', 'COUNT', 1000)
      cursor = page[1]
      for i = 1, #page[2], 2 do
        checked_call('ZREM', list, page[2][i])
        checked_call('ZADD', due, at, page[2][i])
      end
    until cursor == '0'
  end
end
