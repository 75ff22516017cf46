-- Counts a guess before its password is compared, or returns how long to wait; atomically.
-- Its own ARGV, the last: '1' while Redis has room for another counter.
-- Returns {'admitted'}, {'limited', seconds}, {'full'} or {'audit_full'}.

local wait, rule = 0, nil
local function waitFor(words, seconds)
  if seconds > wait then wait, rule = seconds, words end
end
waitFor('locked network', waitEnd(own) - now)
if not isKnown and account.count >= rules.accountMax then
  waitFor('locked account', account.start + rules.accountSeconds - now)
end
for _, window in ipairs(windows) do
  local count = tonumber(redis.call('GET', window.key)) or 0
  if count >= window.max then waitFor('limited address', window.ends - now) end
end
-- Refuse before anything is counted: a refused guess must not prolong its own refusal.
if rule then
  countRefusal(rule .. ' ' .. (isBearer and 'bearer' or isKnown and 'known' or 'stranger'))
  return { 'limited', wait }
end
if isNew and ARGV[#ARGV] ~= '1' then return { 'full' } end

own.count, own.last = own.count + 1, now
saveOwn()
if not isKnown then
  account.count = account.count + 1
  saveAccount()
end
for _, window in ipairs(windows) do
  redis.call('INCR', window.key)
  redis.call('EXPIRE', window.key, math.max(1, window.ends - now))
end
return { 'admitted' }
