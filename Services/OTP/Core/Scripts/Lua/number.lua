-- The state of a number: one MessagePack value, with its reading, writing and expiry.
--
-- The time comes from the service's clock, in Unix seconds, so that a test can set it and a step of Redis' own clock moves no
-- lockout. An UNDECIDED event counts as WRONG until the provider has reported its result.
--
-- Everything about a number is always one value, so that challenges, tries and lockouts are lost together or not at all.
-- The value is an array, and so are its parts. Times except the first and the lockouts are seconds since the first:
--
--   { first time, end of the lockout of recognised clients, of unrecognised ones (Unix seconds, 0 for none),
--     known      { { tag of the address block (4 bytes), day of the last sign-in }, ... },
--     challenges { { place, created, seed (2 bytes), proof (5 bytes), tag of Redis' run (2 bytes), tries of
--                    recognised clients, tries of unrecognised ones, requested by a recognised client, time of its approval
--                    or false,
--                    channel, if the provider made the code; the proof is then empty until it is right }, ... },
--     events     { { kind, scope or, of guesses, lane, time, tag of the call (3 bytes) while it is remembered }, ... },
--     bad        { { channel, end in Unix seconds }, ... } or false: the channels that a provider reported as bad; with LATE added,
--                one by which a message did not arrive, and which is tried after the others,
--     review     { end in Unix seconds, salt (8 bytes), tag of Redis' run (2 bytes) } }
--
-- A place is a number, or, if its code is bound to a user, text: the number and a tag of the user (4 bytes).
-- The last two exist only if they have content. While the number is under review access (`review.lua`) its challenges are those of
-- the reviewers' code, and expire with it.
--
-- A number that requested a code at 1800000000 and was approved with it 20 seconds later takes 55 bytes:
--
--   96 ce6b49d200 00 00                                  first time, no lockouts
--   91 92 a4<block> cd5161                               known: on day 20833
--   91 99 00 00 a2<seed> a5<proof> a2<run> 00 01 c2 14   one challenge: an unrecognised try, approved after 20 seconds
--   92 94 00 02 00 a3<call>  94 02 02 14 a3<call>        events: sent on an unrecognised request, right guess

local KNOWN, STRANGER = 1, 2
local LATE = 64
local SENT, FAILED, RIGHT, WRONG, UNDECIDED = 0, 1, 2, 3, 4

local function readNumber(value, now, rules)
  local number = { known = {}, locked = { 0, 0 }, challenges = {}, events = {}, bad = {} }
  if not value then return number end
  local first, lockedKnown, lockedStrangers, known, challenges, events, bad, review = unpack(cmsgpack.unpack(value))
  -- No lockout is longer than the longest one, and nothing happened later than now, unless the clock was set back since.
  number.locked = {
    math.min(lockedKnown, now + rules.attemptMemory), math.min(lockedStrangers, now + rules.attemptMemory),
  }
  for index, item in ipairs(bad or {}) do number.bad[index] = { channel = item[1], ends = item[2] } end
  number.review = review and { ends = review[1], salt = review[2], run = review[3] }
  for index, item in ipairs(known) do
    number.known[index] = { block = item[1], day = item[2] }
  end
  for index, item in ipairs(challenges) do
    local place, created, seed, proof, run, triesOfKnown, triesOfStrangers, wanted, approved, channel = unpack(item)
    number.challenges[index] = {
      place = place, created = first + created, seed = seed, proof = proof, run = run,
      tries = { triesOfKnown, triesOfStrangers }, wanted = wanted, approved = approved and first + approved,
      channel = channel,
    }
  end
  for index, item in ipairs(events) do
    local kind, scope, time, call = unpack(item)
    number.events[index] = { kind = kind, scope = scope, time = math.min(first + time, now), call = call }
  end
  return number
end

-- Returns nil if there is nothing to keep.
local function numberValue(number)
  local locked = math.max(number.locked[KNOWN], number.locked[STRANGER])
  local review = number.review
  if #number.known + #number.challenges + #number.events + #number.bad + locked == 0 and not review then return nil end
  local first = math.huge
  for _, challenge in ipairs(number.challenges) do first = math.min(first, challenge.created) end
  for _, event in ipairs(number.events) do first = math.min(first, event.time) end
  if first == math.huge then first = 0 end

  local known, challenges, events = {}, {}, {}
  for index, item in ipairs(number.known) do
    known[index] = { item.block, item.day }
  end
  for index, item in ipairs(number.challenges) do
    -- A hole in an array would make it a map.
    local approved = item.approved and item.approved - first
    if item.channel and not approved then approved = false end
    challenges[index] = {
      item.place, item.created - first, item.seed, item.proof, item.run, item.tries[KNOWN], item.tries[STRANGER],
      item.wanted, approved, item.channel,
    }
  end
  for index, item in ipairs(number.events) do
    events[index] = { item.kind, item.scope, item.time - first, item.call }
  end
  local value = { first, number.locked[KNOWN], number.locked[STRANGER], known, challenges, events }
  if review or #number.bad > 0 then
    local bad = {}
    for index, item in ipairs(number.bad) do bad[index] = { item.channel, item.ends } end
    value[7] = #bad > 0 and bad
  end
  if review then value[8] = { review.ends, review.salt, review.run } end
  return cmsgpack.pack(value)
end

-- Challenges of the reviewers' code expire with it, to the second.
local function endReview(number)
  number.review, number.challenges = nil, {}
end

-- One that was made later than any is remembered is from before the clock was set back.
local function challengeEnd(challenge, now, rules)
  return challenge.created > now + rules.challengeMemory and now or challenge.created + rules.challengeMemory
end
local function knownEnd(known, _, rules) return (known.day + 1) * 86400 + rules.knownSeconds end
local function badEnd(bad) return bad.ends end
local function eventEnd(event, _, rules)
  if event.kind <= FAILED then return event.time + rules.sendMemory end
  -- The lockout of a lane of its own is computed from all its failures, until it ends.
  return event.time + (event.scope > STRANGER and rules.laneMemory or rules.attemptMemory)
end

local function kept(list, ends, now, rules)
  local some = {}
  for _, item in ipairs(list) do
    if ends(item, now, rules) > now then some[#some + 1] = item end
  end
  return some
end

-- Removes entries that no longer count. Clocks of replicas may be seconds apart, so stored events are sorted and never
-- assumed to be.
local function prune(number, now, rules)
  if number.review and number.review.ends <= now then endReview(number) end
  number.known = kept(number.known, knownEnd, now, rules)
  number.bad = kept(number.bad, badEnd, now)
  number.challenges = kept(number.challenges, challengeEnd, now, rules)
  number.events = kept(number.events, eventEnd, now, rules)
  table.sort(number.events, function(a, b) return a.time < b.time end)
  for scope = KNOWN, STRANGER do
    if number.locked[scope] <= now then number.locked[scope] = 0 end
  end
  for _, event in ipairs(number.events) do
    if event.time + rules.callMemory <= now then event.call = nil end
  end
  return number
end

-- Returns the seconds until no entry counts any more.
local function numberLife(number, now, rules)
  local last = math.max(number.locked[KNOWN], number.locked[STRANGER])
  local function extend(list, ends)
    for _, item in ipairs(list) do last = math.max(last, ends(item, now, rules)) end
  end
  extend(number.known, knownEnd)
  extend(number.challenges, challengeEnd)
  extend(number.events, eventEnd)
  extend(number.bad, badEnd)
  if number.review then last = math.max(last, number.review.ends) end
  return math.max(1, last - now)
end
