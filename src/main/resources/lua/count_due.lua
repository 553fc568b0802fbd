-- count_due: count the entries of a partition that are due in each of some successive spans of time.
-- KEYS[1] zset  {17}:due   member -> epoch ms
-- ARGV[1] int   from       epoch ms at which the first span begins
-- ARGV[2] int   width      ms of each span, > 0
-- ARGV[3] int   spans      1..256
-- returns array: how much waits from before the first span, then for each span
-- cost    O(spans * log n)
local due, from, width, spans = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local reply = {redis.call('ZCOUNT', due, '-inf', '(' .. string.format('%.0f', from))}
for i = 0, spans - 1 do
  local begins, ends = from + i * width, from + (i + 1) * width
  reply[i + 2] = redis.call('ZCOUNT', due, string.format('%.0f', begins), '(' .. string.format('%.0f', ends))
end
return reply
