-- Counts mails about an account before they are written, as many of those that are wanted as fit, or says how long to wait
-- for the next one; atomically.
-- KEYS: the account, the account with the network (both only read), then one for each window: the recipient's twice, for
-- strangers and for his known networks, and the network's.
-- ARGV of its own, the last three: how many are wanted, how many windows are the recipient's, '1' while Redis has room for
-- another counter.
-- Answers {'admitted', how many}, {'limited', seconds} or {'full'}.

local wanted, ofRecipient, hasRoom = tonumber(ARGV[#ARGV - 2]), tonumber(ARGV[#ARGV - 1]), ARGV[#ARGV] == '1'
local counted, wait, isNewCounter = {}, 0, false
for index, window in ipairs(windows) do
  -- The first half of the recipient's windows are strangers', the second half known networks'.
  local isOther = index <= ofRecipient and (index <= ofRecipient / 2) == isKnown
  if not isOther then
    counted[#counted + 1] = window
    local count = tonumber(redis.call('GET', window.key))
    isNewCounter = isNewCounter or not count
    local left = window.max - (count or 0)
    if left <= 0 then wait = math.max(wait, window.ends - now) end
    wanted = math.min(wanted, left)
  end
end
if wait > 0 then return { 'limited', wait } end
if isNewCounter and not hasRoom then return { 'full' } end
for _, window in ipairs(counted) do
  for _ = 1, wanted do redis.call('INCR', window.key) end
  redis.call('EXPIRE', window.key, math.max(1, window.ends - now))
end
return { 'admitted', wanted }
