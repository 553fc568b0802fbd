-- count_due: count the due entries of a partition in consecutive time spans.
-- KEYS[1] zset  {17}:due   member -> epoch ms
-- ARGV[1] int   from       epoch ms at which the first span begins
-- ARGV[2] int   width      ms of each span, > 0
-- ARGV[3] int   spans      1..256
-- returns array: the number of entries before the first span, then the number in each span
-- cost    O(log n) for each span with entries
local due, from, width, spans = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

-- A count from the start of the list searches for one end of the range, not two.
local function before(span)
  return redis.call('ZCOUNT', due, '-inf', '(' .. string.format('%.0f', from + span * width))
end

local reply = {before(0)}
-- Halves spans with entries. low is the count before the first span, high the count up to the end of the last one.
local function divide(first, last, low, high)
  if low == high or first == last then
    for span = first, last do reply[span + 2] = high - low end
    return
  end
  local middle = math.floor((first + last) / 2)
  local count = before(middle + 1)
  divide(first, middle, low, count)
  divide(middle + 1, last, count, high)
end
divide(0, spans - 1, reply[1], before(spans))
return reply
