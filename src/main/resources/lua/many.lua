-- many (a fragment, put behind a script that stands in group(...)): perform many calls of it in one go. The script is told once what a group of
-- calls shares, and gives a function for one of them, and another that runs after the last. What it does not do itself, and where it fails, it
-- leaves to a script that is called alone, which repairs and knows each case: so it can stay short. Not for a Cluster, which wants to be told all
-- keys: while a slot moves, it knows by them where a script can run.
-- arguments     groups: how many arguments its calls share, how many each has of its own, how many calls it is, and all these
-- returns the reply of each call, in their order; OTHER where the call is left to the other script: it may have done a part by then
--         an error where what runs after the last call of a group fails: then all calls may have been performed
-- cost    the sum of the calls
local replies, n, at = {}, 0, 1
while at <= #ARGV do
  local shared, own, calls = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  at = at + 3 + shared
  local each, after = group(unpack(ARGV, at - shared, at - 1))
  for _ = 1, calls do
    local performed, reply = pcall(each, unpack(ARGV, at, at + own - 1))
    n, at = n + 1, at + own
    replies[n] = performed and reply or 'OTHER'
  end
  if after then after() end
end
return replies
