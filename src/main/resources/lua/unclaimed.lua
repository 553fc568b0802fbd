-- unclaimed (a fragment, pulled in by "-- include: unclaimed"): the due entry of a claim.
-- claim   text  "<run> claim=<token>"
-- crashes int   to add to those of a run
-- returns text  the run
-- cost    O(length)
local function unclaimed(claim)
  return (string.gsub(claim, ' claim=%S*$', ''))
end

local function crashed(run, crashes)
  return (string.gsub(run, 'crashes=(%d+)$', function(n) return 'crashes=' .. (tonumber(n) + crashes) end))
end
