-- Counts a mail about an account before it is written, or says how long to wait; atomically.
-- KEYS: the account, the account with the network (both only read), then one for each window: the recipient's twice, for
-- strangers and for his known networks, and the network's.
-- ARGV of its own, the last two: how many windows are the recipient's, '1' while Redis has room for another counter.
-- Answers {'admitted'}, {'limited', seconds} or {'full'}.

local ofRecipient, hasRoom = tonumber(ARGV[#ARGV - 1]), ARGV[#ARGV] == '1'
local counted, wait, isNewCounter = {}, 0, false
for index, window in ipairs(windows) do
  -- The first half of the recipient's windows are strangers', the second half known networks'.
  local isOther = index <= ofRecipient and (index <= ofRecipient / 2) == isKnown
  if not isOther then
    counted[#counted + 1] = window
    local count = tonumber(redis.call('GET', window.key))
    isNewCounter = isNewCounter or not count
    if (count or 0) >= window.max then wait = math.max(wait, window.ends - now) end
  end
end
if wait > 0 then return { 'limited', wait } end
if isNewCounter and not hasRoom then return { 'full' } end
for _, window in ipairs(counted) do
  redis.call('INCR', window.key)
  redis.call('EXPIRE', window.key, math.max(1, window.ends - now))
end
return { 'admitted' }
