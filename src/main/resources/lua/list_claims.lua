-- list_claims: return some claims of one node in one partition, oldest first.
-- KEYS[1] hash  {17}:claims:<node>
-- ARGV[1] text  after   position to begin after; '' for the first
-- ARGV[2] text  object  key of a job, or the start of one, up to a slash; '' for all
-- ARGV[3] int   take    maximum number of claims to return, 1..256
-- returns array of {position, claim, since}: the position is the instant of the claim, in 23 digits, and a digest
--         of the claim. Positions sort like instants, and no two claims share one
-- cost    O(n log n) for the n claims of the node here, which are in flight
local after, object, take = ARGV[1], ARGV[2], tonumber(ARGV[3])

-- Nothing is written: the next claim moves a key of another type aside.
local taken = redis.pcall('HGETALL', KEYS[1])
local function concerns(claim)
  local job = string.match(claim, '^%a+:(%S+)') or ''
  return object == '' or job == object or string.sub(job, 1, #object + 1) == object .. '/'
end
local found = {}
for i = 1, taken.err and 0 or #taken, 2 do
  if concerns(taken[i]) then
    local digits = string.sub(string.gsub(taken[i + 1], '%D', '') .. string.rep('0', 23), 1, 23)
    local position = digits .. redis.sha1hex(taken[i])
    if position > after then found[#found + 1] = {position, taken[i], taken[i + 1]} end
  end
end
table.sort(found, function(a, b) return a[1] < b[1] end)
local reply = {}
for i = 1, math.min(take, #found) do reply[i] = found[i] end
return reply
