-- many (a fragment, appended to a script that is wrapped in group(...)): perform many calls of the script in one go. The script gets the arguments
-- that a group of calls shares. It returns a function for one call, and another that runs after the last. It leaves failed calls, and calls that it
-- cannot handle, to another script. That script is called alone and handles every case, so this one can stay short. Not for a Cluster: while a
-- slot moves, a Cluster needs all keys to find where a script can run.
-- arguments     groups: number of shared arguments, number of arguments per call, number of calls, and all these arguments
-- returns the reply of each call, in order; OTHER for a call left to the other script, perhaps partly done.
--         An error if the function after the last call of a group fails: all calls may have been performed then
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
