-- Counts a guess, then compares it; atomically.
-- The guess and the challenge's code are compared as HMACs under a key that Redis does not have.
-- ARGV of its own: proof of the guess; 'link' if it came in a link, which cannot be guessed; 'away' if the provider that makes
-- codes cannot be asked now, so that a guess at one of its codes is {'away'} and not counted; 'malformed' for a text that cannot be
-- a code, which counts only for the client's IP address and is {'malformed'}.
-- Returns {'approved', created, seed, until, the review access' end | 0}, {'limited', rule, seconds}, {'ask', created, seed, channel} if the
-- provider knows whether it is right, {'undecided'} while it has not replied, or {result}.

local proof, isLink, isAway = ARGV[8], ARGV[9] == 'link', ARGV[9] == 'away'

if ARGV[9] == 'malformed' then
  local rule, wait = longestWait({})
  if rule then return refuse(rule, 'limited', rule, wait) end
  countWindows(windows)
  return refuse('malformed', 'malformed')
end

local isAsked = challenge and not challenge.approved and isManaged(challenge)

local earlier = earlierCall(RIGHT, UNDECIDED)
if earlier and earlier.kind == WRONG then return { 'wrong_code' } end
if earlier and earlier.kind == UNDECIDED then return { 'undecided' } end
if earlier then
  if approvedUntil and approvedUntil > now and challenge.proof == proof then return approval() end
  return { 'used' }
end

-- In a closed app a guess at a code that was not sent must not be recognisable by being checked while the provider is away.
local isLikeAsked = isAsked or rules.closed and challenge and not challenge.approved and not review
if isLikeAsked and isAway then return { 'away' } end

local addressRule = longestWait({})
local rule, wait = longestWait(attemptWaits())
-- Every call counts for the IP address, including calls that another rule refuses.
if not addressRule then countWindows(windows) end
if rule then return refuse(rule, 'limited', rule, wait) end

-- The link of another challenge reveals nothing about this one, whose guesses stay as they are.
if isLink and not (challenge and challenge.proof == proof) then return refuse('link', 'wrong_code') end

if not challenge then return refuse('unknown', 'unknown') end
if not challenge.approved and challenge.created + rules.lifetime <= now then return refuse('expired', 'expired') end
if challenge.tries[scope] >= rules.tries then
  -- Waiting helps as soon as another code can be requested.
  wait = math.max(1, slidingWait(times(SENT, FAILED), rules.sends))
  if scope == STRANGER and challenge.wanted and challenge.tries[KNOWN] < rules.tries then
    wait = math.max(wait, (approvedUntil or challenge.created + rules.lifetime) - now)
  end
  return refuse('challenge', 'limited', 'challenge', wait)
end

-- The same success again reduces the remaining guesses by none.
if approvedUntil and approvedUntil > now and challenge.proof == proof then return approval() end

-- It is counted first, as a wrong one, so that this guess is used whatever happens from here on.
local guess = { kind = WRONG, scope = scope, time = now, call = call }
number.events[#number.events + 1] = guess
challenge.tries[scope] = challenge.tries[scope] + 1

if isAsked then guess.kind = UNDECIDED end
if isAsked or proof ~= challenge.proof then
  local list = failures()
  number.locked[scope] = math.max(number.locked[scope], lockEnd(list, #list))
  save()
  audit(now, audited.wrongCode, subject, isAsked and scopeName .. ' undecided' or scopeName)
  if number.locked[scope] > now then
    audit(now, audited.locked, subject, scopeName .. ' ' .. number.locked[scope] - now)
  end
  if isAsked then return { 'ask', challenge.created, challenge.seed, challenge.channel or 0 } end
  return { 'wrong_code' }
end

guess.kind = RIGHT
if challenge.approved then
  save()
  return refuse('used', 'used')
end
return approve()
