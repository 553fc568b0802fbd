-- list_claims: some of the claims of one node in one partition, those claimed longest ago first.
-- KEYS[1] hash  {17}:claims:<node>
-- ARGV[1] text  after   position after which to begin; '' for the first
-- ARGV[2] text  object  key of a job, or a beginning of one up to a slash; '' for all
-- ARGV[3] int   take    claims to return at most, 1..256
-- returns array of {position, claim, since}: the position is the instant of the claim, in 23 digits, and a digest
--         of the claim: the order of positions is that of instants, and no two claims share one
-- cost    O(n log n) for the n claims of the node here, which are what it has in flight
local after, object, take = ARGV[1], ARGV[2], tonumber(ARGV[3])

-- Nothing is written: what holds another type is moved aside by the next claim.
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
