-- Counts a send and opens the number's challenge, or refuses; atomically.
-- ARGV of its own: seed (2 bytes) and proof (5 bytes) of the challenge if a new one is made. After the seed follows the salt of the
-- review access to which the code belongs. After the proof follows a byte for each possible channel of the message; the first one
-- is tried first, and paid with the send. A proof of zeros states that a provider makes the code.
-- Returns {'send', created, seed, bad and late channels, 'first' | 'after', news of spending}: 'after' if a provider may have
-- another code that was sent to the number. Or {'repeated', 'sent' | 'failed'}, {'limited', rule, seconds, news}, {'bad_number'} if
-- all those channels are bad and the app is not closed. Or, if the call was made for another state of the review access, {'review',
-- end, salt}: 0 and '' if none is open.

local newSeed, reviewSalt = string.sub(ARGV[8], 1, 2), string.sub(ARGV[8], 3)
local newProof, channels = string.sub(ARGV[9], 1, 5), string.sub(ARGV[9], 6)
if newProof == string.rep('\0', 5) then newProof = '' end
local isOfProvider = newProof == ''

local earlier = earlierCall(SENT, FAILED)
if earlier and earlier.kind == SENT then return { 'repeated', 'sent' } end

local bad, isReachable = badChannels(), channels == ''
local function isBad(index) return string.find(bad, string.sub(channels, index, index), 1, true) end
-- Whether a message by this channel did not arrive recently.
local function isLate(index) return string.find(bad, string.char(string.byte(channels, index) + LATE), 1, true) end
-- Whether another channel comes before the first one.
local isFirstLate = false
for index = 1, #channels do
  isReachable = isReachable or not isBad(index)
  isFirstLate = isFirstLate or isLate(1) and not isBad(index) and not isLate(index)
end
-- In a closed app only invited numbers have been tried. So a bad number is counted and gets the same response as all others.
if not isReachable and not rules.closed then return { 'bad_number' } end
isSilent = isSilent or not isReachable
if earlier then return { 'repeated', 'failed' } end

if reviewSalt ~= (review and review.salt or '') then
  return { 'review', review and review.ends or 0, review and review.salt or '' }
end

-- A code that can still be used is sent again. One that is expired, used or guessed too often never is.
local challenge, index = openChallenge()
local isOpen = challenge and not challenge.approved and challenge.created + rules.lifetime > now
local isKept = isOpen and challenge.tries[scope] < rules.tries and isManaged(challenge) == isOfProvider

-- Returns the seconds for which unrecognised clients cannot replace a code that the owner requested and can still use.
local function ownersWaitFor(challenge)
  if not challenge.wanted or challenge.run ~= run then return 0 end
  if challenge.approved then return challenge.approved + rules.approved - now end
  return challenge.tries[KNOWN] < rules.tries and challenge.created + rules.lifetime - now or 0
end

-- Returns the longest such wait. A provider has one code for a number, whatever its purpose, so a new challenge replaces those of
-- all places.
local function ownersWait()
  if isKept or scope == KNOWN then return 0 end
  local wait = challenge and ownersWaitFor(challenge) or 0
  for _, other in ipairs(isOfProvider and number.challenges or {}) do wait = math.max(wait, ownersWaitFor(other)) end
  return wait
end

-- Refuse before anything is counted, because a refused request must not prolong its own refusal.
-- Reviewers are sent nothing, which costs nothing.
isPaid = isPaid and reviewSalt == ''
if isPaid then readSpent() end
local rule, wait = longestWait({
  { 'lockout', number.locked[scope] - now }, { 'phone', slidingWait(times(SENT, FAILED), rules.sends) },
  { 'challenge', ownersWait() }, { 'budget', isPaid and rules.spend.enforces and spendWait() or 0 },
})
-- A request for a mail is only told about the limit of the client's own IP address (`SendCode`). If it is reached, it is the rule,
-- and every request is counted for it.
if isMail and rule then
  local ofAddress = {}
  for _, window in ipairs(windows) do
    if window.rule == 'ip' then ofAddress[#ofAddress + 1] = window end
  end
  for _, window in ipairs(ofAddress) do
    if isFull(window) then rule, wait = 'ip', window.ends - now end
  end
  if rule ~= 'ip' then countWindows(ofAddress) end
end
if rule then
  countRefusal('request ' .. rule .. ' ' .. scopeName)
  return { 'limited', rule, wait, rule == 'budget' and refuseSpend() or {} }
end

local follows = channels ~= '' and followsAnother(isKept and challenge or nil)
number.events[#number.events + 1] = { kind = SENT, scope = scope, time = now, call = call }
countWindows(windows)
if not isKept then
  challenge = { place = place, created = now, seed = newSeed, proof = newProof, run = run, tries = { 0, 0 } }
  if isOfProvider then
    challenge.channel = string.byte(channels)
    number.challenges, index = {}, 1
  end
  number.challenges[index] = challenge
end
challenge.wanted = challenge.wanted or scope == KNOWN
save()
audit(now, audited.sent, subject, scopeName)
-- A channel that is left out, or not the first to be tried, costs nothing here, because each one is paid when it is tried.
local news = isPaid and (isSilent or not isBad(1) and not isFirstLate) and spend() or {}
return { 'send', challenge.created, challenge.seed, bad, follows and 'after' or 'first', news }
