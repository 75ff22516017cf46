-- Removes a guess from the counts because it was right, or because it was not compared after all.
-- Its own ARGV, the last: '1' for a right guess, whose network is known from now on.
-- Returns {'done'}.

local isRight = ARGV[#ARGV] == '1'
own.count = own.count - 1
saveOwn()
if not isKnown then account.count = math.max(0, account.count - 1) end
if isRight and not isBearer then
  local known = { { net, today } }
  for _, item in ipairs(account.known) do
    if item[1] ~= net and #known < rules.knownMax then known[#known + 1] = item end
  end
  account.known = known
end
saveAccount()
for _, window in ipairs(windows) do
  if (tonumber(redis.call('GET', window.key)) or 0) > 0 then redis.call('DECR', window.key) end
end
return { 'done' }
