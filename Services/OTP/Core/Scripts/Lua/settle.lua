-- Records the provider's result of a guess; until then the guess counts as wrong (verify.lua).
-- ARGV of its own: proof of the guess; the provider's result and the challenge that it is about: a letter, seed (2 bytes), second
-- of its creation. r: right; w: wrong; u: used up, as the provider compares no more guesses with its code; g: gone, as it no longer
-- has a code of the number.
-- Returns the same as verify.lua; {'expired'} if another challenge has replaced this one, {'unsettled'} if the guess is not known.

local proof, word, seed = ARGV[8], string.sub(ARGV[9], 1, 1), string.sub(ARGV[9], 2, 3)
local created = tonumber(string.sub(ARGV[9], 4))

local guess = earlierCall(UNDECIDED, UNDECIDED)
if not guess then return { 'unsettled' } end
-- Meanwhile the number may have become recognised at the network of the guess.
scope, scopeName = guess.scope, guess.scope == KNOWN and 'known' or 'stranger'

if word == 'w' then
  guess.kind = WRONG
  save()
  return { 'wrong_code' }
end

-- The guess was right, or not compared at all, so a lockout that only it caused is lifted.
guess.kind = RIGHT
local list, locked = failures(), 0
for position = 1, #list do locked = math.max(locked, lockEnd(list, position)) end
number.locked[scope] = math.min(number.locked[scope], locked)

if not challenge or challenge.created ~= created or challenge.seed ~= seed then
  save()
  return refuse('expired', 'expired')
end

-- Another guess was faster, and the provider has closed its verification.
if challenge.approved then
  save()
  if approvedUntil > now and challenge.proof == proof then return approval() end
  return refuse('used', 'used')
end

if word == 'r' then
  challenge.proof = proof
  return approve()
end

-- Unrecognised clients may have used all the guesses that the provider accepts, so the next request begins again.
challenge.tries = { rules.tries, rules.tries }
-- A repeat of this call does not repeat a success.
guess.call = nil
save()
if word == 'g' then return refuse('expired', 'expired') end
return refuse('challenge', 'limited', 'challenge', math.max(1, slidingWait(times(SENT, FAILED), rules.sends)))
