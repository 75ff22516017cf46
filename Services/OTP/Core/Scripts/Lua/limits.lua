-- The scope of the client, the earlier events of the number, and the time that the call has to wait.
-- Uses: call.lua, run.lua, place.lua. Gives: scope, scopeName, review, openChallenge, isManaged, earlierCall, times,
-- slidingWait, attemptWaits, recognise, windows, isMail, isFull, countWindows, longestWait, badChannels, followsAnother.

-- Recognised: the call has a token of the number's owner, or the number signed in recently from this address block.
local scope = isVouchedFor and KNOWN or STRANGER
for _, known in ipairs(number.known) do
  if known.block == block then scope = KNOWN end
end
local scopeName = scope == KNOWN and 'known' or 'stranger'

-- A review access is valid in the run of Redis in which it was opened, since a later one may have forgotten guesses.
if number.review and number.review.run ~= run then endReview(number) end
local review = number.review

local function openChallenge()
  for index, challenge in ipairs(number.challenges) do
    if challenge.place == place then return challenge.run == run and challenge or nil, index end
  end
  return nil, #number.challenges + 1
end

-- Whether a provider has made the challenge's code and is asked whether a guess is right.
local function isManaged(challenge) return challenge.proof == '' end

-- Returns an earlier call with the same tag, so that its repeat is neither counted nor sent again.
local function earlierCall(first, last)
  for _, event in ipairs(number.events) do
    if event.call == call and event.kind >= first and event.kind <= last then return event end
  end
end

-- Returns the times of events of these kinds in the call's scope, oldest first.
local function times(first, last)
  local list = {}
  for _, event in ipairs(number.events) do
    if event.scope == scope and event.kind >= first and event.kind <= last then list[#list + 1] = event.time end
  end
  return list
end

-- Sliding windows: returns the seconds until one more event fits under each limit, or 0 if it fits now. It fits when the max-th
-- newest event has left the window, so after that wait it really does.
local function slidingWait(list, limits)
  local longest = 0
  for _, limit in ipairs(limits) do
    local blocking = list[#list - limit[1] + 1]
    if blocking then longest = math.max(longest, blocking + limit[2] - now) end
  end
  return longest
end

-- Returns the waits of an attempt to sign in. Lockouts come before the comparison, so that they apply to the right code too,
-- whenever it was sent.
local function attemptWaits()
  return {
    { 'lockout', number.locked[scope] - now }, { 'phone', slidingWait(times(RIGHT, UNDECIDED), rules.attempts) },
  }
end

-- From now on the number is recognised at this address block.
local function recognise()
  local known = { { block = block, day = math.floor(now / 86400) } }
  for _, other in ipairs(number.known) do
    if other.block ~= block and #known < rules.knownMax then known[#known + 1] = other end
  end
  number.known = known
end

-- Fixed windows of the clock, with one counter each, for subjects that may have a million events: addresses, prefixes, countries.
-- At the boundary of two windows twice the limit can pass.
local windows, isMail = {}, false
for index = 1, windowCount do
  local rule, name, strangersMax, knownMax, ends = unpack(ARGV, 6 + index * 5, 10 + index * 5)
  isMail = isMail or rule == 'mailbox'
  local max = tonumber(scope == STRANGER and strangersMax or knownMax)
  if max then
    windows[#windows + 1] = { key = KEYS[4 + index], rule = rule, field = name, max = max, ends = tonumber(ends) }
  end
end

local function countWindows(some)
  for _, window in ipairs(some) do
    redis.call('HINCRBY', window.key, window.field, 1)
    redis.call('EXPIRE', window.key, math.max(1, window.ends - now))
  end
end

local function isFull(window)
  return (tonumber(redis.call('HGET', window.key, window.field)) or 0) >= window.max
end

-- Returns the rule that makes the call wait longest, among these and the windows. After that wait no rule refuses it.
local function longestWait(waits)
  for _, window in ipairs(windows) do
    if isFull(window) then waits[#waits + 1] = { window.rule, window.ends - now } end
  end
  local longest = { nil, 0 }
  for _, wait in ipairs(waits) do
    if wait[2] > longest[2] then longest = wait end
  end
  return unpack(longest)
end

-- Returns a byte for each channel on which a provider reports the number as bad, or which is late (with LATE added).
local function badChannels()
  local bytes = ''
  for _, bad in ipairs(number.bad) do bytes = bytes .. string.char(bad.channel) end
  return bytes
end

-- Whether a provider may still have another code of the number than the challenge's, from the last ten minutes. A Redis that has
-- run for less time may have forgotten one.
-- `challenge`: the one that is kept; nil if a new one is about to be made.
local function followsAnother(challenge)
  -- A provider that makes the codes has this one's. If it might not, failed_send.lua has ended the challenge.
  if challenge and isManaged(challenge) then return false end
  local made = challenge and challenge.created or math.huge
  for _, other in ipairs(number.challenges) do
    if other ~= challenge and other.created + 600 > now then return true end
  end
  -- It is not recorded which sender accepted a message, so all of ten minutes count. To end a code and send the same again is
  -- harmless.
  for _, event in ipairs(number.events) do
    if event.kind <= FAILED and event.time < made and event.time + 600 > now then return true end
  end
  return runSeconds < 600
end
