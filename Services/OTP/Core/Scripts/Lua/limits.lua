-- Who calls, what he has done before, and how long he has to wait.
-- Uses: call.lua, run.lua, place.lua. Gives: scope, scopeName, review, openChallenge, isManaged, earlierCall, times,
-- slidingWait, windows, isMail, isFull, countWindows, longestWait, badChannels, followsAnother.

-- Known: a token of the number's owner came with the call, or the number signed in from there not long ago.
local scope = isVouchedFor and KNOWN or STRANGER
for _, known in ipairs(number.known) do
  if known.block == block then scope = KNOWN end
end
local scopeName = scope == KNOWN and 'known' or 'stranger'

-- A review access holds in the run of Redis that it was opened in: a later one may have forgotten guesses.
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

-- An earlier call with the same tag, so that its repeat is neither counted nor sent again.
local function earlierCall(first, last)
  for _, event in ipairs(number.events) do
    if event.call == call and event.kind >= first and event.kind <= last then return event end
  end
end

-- When events of these kinds happened in the call's scope, oldest first.
local function times(first, last)
  local list = {}
  for _, event in ipairs(number.events) do
    if event.scope == scope and event.kind >= first and event.kind <= last then list[#list + 1] = event.time end
  end
  return list
end

-- Sliding windows: seconds until one more event fits under each limit, 0 when it fits now. It fits when the
-- max-th newest event has left the window, so after that wait it really does.
local function slidingWait(list, limits)
  local longest = 0
  for _, limit in ipairs(limits) do
    local blocking = list[#list - limit[1] + 1]
    if blocking then longest = math.max(longest, blocking + limit[2] - now) end
  end
  return longest
end

-- Fixed windows of the clock, one counter each, for what may have a million events: addresses, prefixes,
-- countries. At the edge of two windows twice the limit can pass.
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

-- The rule that makes the call wait longest, among these and the windows: after that wait nothing refuses it.
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

-- A byte for each channel on which a provider calls the number bad, or which is late (then LATE is added).
local function badChannels()
  local bytes = ''
  for _, bad in ipairs(number.bad) do bytes = bytes .. string.char(bad.channel) end
  return bytes
end

-- Whether a provider may still hold another code of the number than the challenge's: its own last ten minutes. A Redis that
-- runs for no longer may have forgotten one.
-- `challenge`: one that is kept; nil: one that is about to be made.
local function followsAnother(challenge)
  -- A provider that makes the codes holds this one's: where it may not, failed_send.lua has ended the challenge.
  if challenge and isManaged(challenge) then return false end
  local made = challenge and challenge.created or math.huge
  for _, other in ipairs(number.challenges) do
    if other ~= challenge and other.created + 600 > now then return true end
  end
  -- Nobody notes which sender took a message, so all of ten minutes count: ending a code to send the same again does no harm.
  for _, event in ipairs(number.events) do
    if event.kind <= FAILED and event.time < made and event.time + 600 > now then return true end
  end
  return runSeconds < 600
end
