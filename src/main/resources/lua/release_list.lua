-- release_list: move attempts of a waiting list to due.
-- KEYS[1] zset  {17}:list:<cause>   attempt -> epoch ms at which it was due, for a flow less the lead of its priority. Attempts of a flow are
--                                    due now, the others not before their score: the clock may have been set back
-- KEYS[2] zset  {17}:lists          causes whose lists have members -> 0
-- KEYS[3] zset  {17}:due
-- ARGV[1] text  cause
-- ARGV[2] int   now     epoch ms
-- ARGV[3] int   limit   1..256
-- ARGV[4..]     attempts  the ones to move, at most limit; without them the first of the list
-- returns int   how many were moved; fewer than limit means that none is left
-- cost    O(limit * log n)
-- include: checked_call
local list, lists, due = KEYS[1], KEYS[2], KEYS[3]
local cause, now = ARGV[1], tonumber(ARGV[2])
local has_leads = string.find(cause, '^flow:')
local moved = 0
local function move(attempt, score)
  checked_call('ZADD', due, string.format('%.0f', has_leads and now or math.max(now, tonumber(score))), attempt)
  moved = moved + 1
end
if #ARGV > 3 then
  for i = 4, #ARGV do
    local score = checked_call('ZSCORE', list, ARGV[i])
    if score then
      redis.call('ZREM', list, ARGV[i])
      move(ARGV[i], score)
    end
  end
else
  local first = checked_call('ZPOPMIN', list, ARGV[3])
  for i = 1, #first, 2 do move(first[i], first[i + 1]) end
end
if redis.call('EXISTS', list) == 0 then checked_call('ZREM', lists, cause) end
return moved
