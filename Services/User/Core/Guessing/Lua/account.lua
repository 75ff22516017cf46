-- Counts of guesses at one account: by all unrecognised clients, and by one network or the user's own tokens.
-- KEYS: the account, the account with the network, refusals, audit, then one for each window of the client's IP address.
-- ARGV: now, tag of the network, '1' for one of the user's own tokens, then for each window: max, end.
-- Uses: rules. Defines: now, net, account, own, windows, waitEnd, saveAccount, saveOwn, refusalsKey, auditKey.
--
-- Each value is a MessagePack array; times are Unix seconds of the service's clock.
--   account: { begin of the window of unrecognised clients, their guesses in it, time of the last reset,
--              known networks { { tag, day of the last login }, ... } }
--   own:     { begin of the window, guesses in it, time of the last one }

local now, net, isBearer = tonumber(ARGV[1]), ARGV[2], ARGV[3] == '1'
local accountKey, ownKey, refusalsKey, auditKey = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local today = math.floor(now / 86400)

local account = { start = now, count = 0, cleared = 0, known = {} }
local kept = redis.call('GET', accountKey)
if kept then
  local start, count, cleared, known = unpack(cmsgpack.unpack(kept))
  account.cleared = cleared
  if start + rules.accountSeconds > now then
    account.start, account.count = start, count
  end
  for _, item in ipairs(known) do
    if (item[2] + rules.knownDays) >= today then account.known[#account.known + 1] = item end
  end
end

local isKnown = isBearer
for _, item in ipairs(account.known) do
  if item[1] == net then isKnown = true end
end

-- Once the window's guesses are used up, the next guess has to wait, each time twice as long.
local function waitEnd(state)
  if state.count < rules.ownMax then return 0 end
  local doublings = math.min(state.count - rules.ownMax, 16)
  return state.last + math.min(rules.waitMax, rules.waitFirst * 2 ^ doublings)
end

local own = { start = now, count = 0, last = 0 }
kept = redis.call('GET', ownKey)
if kept then
  local earlier = {}
  earlier.start, earlier.count, earlier.last = unpack(cmsgpack.unpack(kept))
  local ends = math.max(earlier.start, waitEnd(earlier)) + rules.ownSeconds
  -- A reset of the password discards the guesses before it.
  if ends > now and earlier.start > account.cleared then own = earlier end
end
local isNew = not kept

local windows = {}
for index = 5, #KEYS do
  local max, ends = unpack(ARGV, 4 + (index - 5) * 2, 5 + (index - 5) * 2)
  windows[#windows + 1] = { key = KEYS[index], max = tonumber(max), ends = tonumber(ends) }
end

local function saveAccount()
  local life = account.start + rules.accountSeconds - now
  for _, item in ipairs(account.known) do
    life = math.max(life, (item[2] + rules.knownDays + 1) * 86400 - now)
  end
  if account.cleared > 0 then life = math.max(life, account.cleared + rules.clearedSeconds - now) end
  redis.call(
    'SET', accountKey, cmsgpack.pack({ account.start, account.count, account.cleared, account.known }), 'EX',
    math.max(1, life))
end

local function saveOwn()
  if own.count <= 0 then
    redis.call('DEL', ownKey)
    return
  end
  local life = math.max(own.start, waitEnd(own)) + rules.ownSeconds - now
  redis.call('SET', ownKey, cmsgpack.pack({ own.start, own.count, own.last }), 'EX', math.max(1, life))
end
