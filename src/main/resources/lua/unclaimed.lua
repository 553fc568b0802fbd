-- unclaimed (a fragment, pulled in by "-- include: unclaimed"): return the due entry of a claim.
-- claim   text  "<attempt> claim=<token>"
-- crashes int   to add to an attempt
-- returns text  the attempt
-- cost    O(length)
local function unclaimed(claim)
  return (string.gsub(claim, ' claim=%S*$', ''))
end

local function crashed(attempt, crashes)
  return (string.gsub(attempt, 'crashes=(%d+)$', function(n) return 'crashes=' .. (tonumber(n) + crashes) end))
end
