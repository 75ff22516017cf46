-- Counts a send and opens the number's challenge, or refuses; atomically.
-- ARGV of its own: seed (2 bytes) and proof (5 bytes) of the challenge if a new one is made; after the seed the salt of the
-- review access whose code that is, after the proof a byte for each channel that the message could go, the one that is
-- tried first, and paid with the send, first. A proof of zeros stands for none: a provider makes the code.
-- Answers {'send', created, seed, bad and late channels, 'first' | 'after', news of spending}: 'after' where a provider may hold
-- another code that went out to the number; {'repeated', 'sent' | 'failed'}, {'limited', rule, seconds, news}, {'bad_number'}
-- where all those channels are bad, but in a closed app, or, when the call was made for another state of the review access, {'review', end, salt}:
-- 0 and nothing when none is open.

local newSeed, reviewSalt = string.sub(ARGV[8], 1, 2), string.sub(ARGV[8], 3)
local newProof, channels = string.sub(ARGV[9], 1, 5), string.sub(ARGV[9], 6)
if newProof == string.rep('\0', 5) then newProof = '' end
local isOfProvider = newProof == ''

local earlier = earlierCall(SENT, FAILED)
if earlier and earlier.kind == SENT then return { 'repeated', 'sent' } end

local bad, isReachable = badChannels(), channels == ''
local function isBad(index) return string.find(bad, string.sub(channels, index, index), 1, true) end
-- A channel by which a message did not arrive lately.
local function isLate(index) return string.find(bad, string.char(string.byte(channels, index) + LATE), 1, true) end
-- Whether another channel goes before the first one.
local isFirstLate = false
for index = 1, #channels do
  isReachable = isReachable or not isBad(index)
  isFirstLate = isFirstLate or isLate(1) and not isBad(index) and not isLate(index)
end
-- In a closed app only invited numbers have been tried, so there a bad one is counted and answered as all others.
if not isReachable and not rules.closed then return { 'bad_number' } end
isSilent = isSilent or not isReachable
if earlier then return { 'repeated', 'failed' } end

if reviewSalt ~= (review and review.salt or '') then
  return { 'review', review and review.ends or 0, review and review.salt or '' }
end

-- A code that can still be used is sent again; one that is expired, used or guessed at too often never is.
local challenge, index = openChallenge()
local isOpen = challenge and not challenge.approved and challenge.created + rules.lifetime > now
local isKept = isOpen and challenge.tries[scope] < rules.tries and isManaged(challenge) == isOfProvider

-- Strangers replace no code that the owner has asked for and can still use.
local function ownersWaitFor(challenge)
  if not challenge.wanted or challenge.run ~= run then return 0 end
  if challenge.approved then return challenge.approved + rules.approved - now end
  return challenge.tries[KNOWN] < rules.tries and challenge.created + rules.lifetime - now or 0
end

-- A provider has one code for a number, whatever it is for: there a new challenge replaces those of all places.
local function ownersWait()
  if isKept or scope == KNOWN then return 0 end
  local wait = challenge and ownersWaitFor(challenge) or 0
  for _, other in ipairs(isOfProvider and number.challenges or {}) do wait = math.max(wait, ownersWaitFor(other)) end
  return wait
end

-- Refuse before anything is counted: a refused request must not prolong its own refusal.
-- Reviewers are sent nothing, which costs nothing.
isPaid = isPaid and reviewSalt == ''
if isPaid then readSpent() end
local rule, wait = longestWait({
  { 'lockout', number.locked[scope] - now }, { 'phone', slidingWait(times(SENT, FAILED), rules.sends) },
  { 'challenge', ownersWait() }, { 'budget', isPaid and rules.spend.enforces and spendWait() or 0 },
})
-- A request for a mail is only told about the limit of the client's own address (`SendCode`): if it is reached, it is the
-- rule, and every request counts for it.
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
-- A channel that is left out, or not the first to be tried, costs nothing here: each is paid as it is tried.
local news = isPaid and (isSilent or not isBad(1) and not isFirstLate) and spend() or {}
return { 'send', challenge.created, challenge.seed, bad, follows and 'after' or 'first', news }
