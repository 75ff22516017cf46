-- Counts a send and opens the number's challenge, or refuses; atomically.
-- ARGV of its own: seed and proof of the challenge if a new one is made.
-- Answers {'send', created, seed}, {'repeated', 'sent' | 'failed'} or {'limited', rule, seconds}.

local newSeed, newProof = ARGV[8], ARGV[9]

local earlier = earlierCall(SENT, FAILED)
if earlier then return { 'repeated', earlier.kind == SENT and 'sent' or 'failed' } end

-- A code that can still be used is sent again; one that is expired, used or guessed at too often never is.
local challenge, index = openChallenge()
local isOpen = challenge and not challenge.approved and challenge.created + rules.lifetime > now
local isKept = isOpen and challenge.tries[scope] < rules.tries

-- Strangers replace no code that the owner has asked for and can still use.
local function ownersWait()
  if not challenge or isKept or scope == KNOWN or not challenge.wanted then return 0 end
  if challenge.approved then return challenge.approved + rules.approved - now end
  return challenge.tries[KNOWN] < rules.tries and challenge.created + rules.lifetime - now or 0
end

-- Refuse before anything is counted: a refused request must not prolong its own refusal.
local rule, wait = longestWait({
  { 'lockout', number.locked[scope] - now }, { 'phone', slidingWait(times(SENT, FAILED), rules.sends) },
  { 'challenge', ownersWait() },
})
if rule then
  countRefusal('request ' .. rule .. ' ' .. scopeName)
  return { 'limited', rule, wait }
end

number.events[#number.events + 1] = { kind = SENT, scope = scope, time = now, call = call }
countWindows()
if not isKept then
  challenge = { place = place, created = now, seed = newSeed, proof = newProof, run = run, tries = { 0, 0 } }
  number.challenges[index] = challenge
end
challenge.wanted = challenge.wanted or scope == KNOWN
save()
audit(now, audited.sent, subject, scopeName)
return { 'send', challenge.created, challenge.seed }
