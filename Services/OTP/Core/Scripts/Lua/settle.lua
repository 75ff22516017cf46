-- Says what a guess was that the provider was asked about; until then it counts as wrong (verify.lua).
-- ARGV of its own: proof of the guess; the provider's word and the challenge that it is about: a letter, seed (2 bytes),
-- second of its creation. r: right; w: wrong; u: used up, as the provider compares no more guesses at its code; g: gone, as it
-- has no code of the number any more.
-- Answers as verify.lua; {'expired'} where another challenge has taken the place, {'unsettled'} where the guess is not known.

local proof, word, seed = ARGV[8], string.sub(ARGV[9], 1, 1), string.sub(ARGV[9], 2, 3)
local created = tonumber(string.sub(ARGV[9], 4))

local guess = earlierCall(UNDECIDED, UNDECIDED)
if not guess then return { 'unsettled' } end
-- Meanwhile the number may have become known where the guess came from.
scope, scopeName = guess.scope, guess.scope == KNOWN and 'known' or 'stranger'

if word == 'w' then
  guess.kind = WRONG
  save()
  return { 'wrong_code' }
end

-- It was right, or not compared at all: what it alone has locked is open again.
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

-- Strangers may have had all the guesses that the provider takes: the next request begins anew.
challenge.tries = { rules.tries, rules.tries }
-- A repeat of this call is no repeat of a success.
guess.call = nil
save()
if word == 'g' then return refuse('expired', 'expired') end
return refuse('challenge', 'limited', 'challenge', math.max(1, slidingWait(times(SENT, FAILED), rules.sends)))
