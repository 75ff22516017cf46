-- The cost of messages: checked and added in the script that counts the send, so that no two sends read the same sum.
-- KEYS after the windows: counters of the hour, of the day. ARGV after the windows: row of prices, price, the row's own budget of
-- an hour and of a day, or '', and 'silent' for a message that is not sent. Without any of these the message is free.
-- Uses: limits.lua. Gives: isPaid, readSpent, spendWait, spend, refuseSpend, countApproval.
--
-- A counter is a hash. `total` and each row's name contain the amount spent; with `!` after it, the last alarm; with `~`, in a
-- closed app, the shadow: the amount as if messages to people who are not invited were sent too. The counter of the hour also has
-- the `#` messages, `+` approvals and `-` refusals of a row. The shadow limits unrecognised clients, so that no budget reveals who
-- is invited; it does not limit recognised clients, who have accounts. Amounts are ten-thousandths of the currency's unit, below
-- 2^53.

local spendBase = 10 + windowCount * 5
local row, price = ARGV[spendBase + 1], tonumber(ARGV[spendBase + 2])
local isPaid = row ~= nil and rules.spend
local isSilent = ARGV[spendBase + 5] == 'silent'
local hourKey = KEYS[5 + windowCount]
local spendWindows = {}

local function spendWindow(name, index, seconds, total, own)
  local key = KEYS[4 + windowCount + index]
  local spent = redis.call('HMGET', key, 'total', 'total!', row, row .. '!', row .. '#', 'total~', row .. '~')
  local window = {
    name = name, key = key, ends = now - now % seconds + seconds, isNew = not spent[1] and not spent[6],
    messages = tonumber(spent[5]) or 0,
    parts = {
      { scope = 'total', budget = total, spent = tonumber(spent[1]) or 0, alarm = tonumber(spent[2]) or 0, shadow = tonumber(spent[6]) or 0 },
      { scope = row, budget = tonumber(own), spent = tonumber(spent[3]) or 0, alarm = tonumber(spent[4]) or 0, shadow = tonumber(spent[7]) or 0 },
    },
  }
  spendWindows[#spendWindows + 1] = window
end

local function readSpent()
  spendWindow('hour', 1, 3600, rules.spend.hour, ARGV[spendBase + 3])
  spendWindow('day', 2, 86400, rules.spend.day, ARGV[spendBase + 4])
end

-- Returns the part of a budget that the client may use, because its last part is for recognised clients.
local function usable(budget)
  return scope == STRANGER and math.floor(budget * rules.spend.strangersPercent / 100) or budget
end

-- Returns the seconds until the windows without room for the price have ended, or 0 if all have room.
local function spendWait()
  local wait = 0
  for _, window in ipairs(spendWindows) do
    for _, part in ipairs(window.parts) do
      local spent = rules.closed and scope == STRANGER and math.max(part.spent, part.shadow) or part.spent
      if part.budget and spent + price > usable(part.budget) then wait = math.max(wait, window.ends - now) end
    end
  end
  return wait
end

-- An alarm is raised once in a window: by the first send that uses so much of a budget, or is refused because of it.
local function alarms(news)
  for _, window in ipairs(spendWindows) do
    for _, part in ipairs(window.parts) do
      local reached = 0
      for _, percent in ipairs({ 50, 80, 100 }) do
        if part.budget and (part.spent + price) * 100 >= part.budget * percent then reached = percent end
      end
      if reached > part.alarm then
        redis.call('HSET', window.key, part.scope .. '!', reached)
        redis.call('EXPIRE', window.key, rules.spend.memory[window.name])
        audit(now, audited.spend, '', window.name .. ' ' .. reached .. ' ' .. part.scope)
        news[#news + 1] = 'alarm ' .. window.name .. ' ' .. reached .. ' ' .. part.scope
      end
    end
  end
  return news
end

local function countOfRow(mark)
  if redis.call('HINCRBY', hourKey, row .. mark, 1) == 1 then redis.call('EXPIRE', hourKey, rules.spend.memory.hour) end
end

-- Counts a refusal and returns the news of spending.
local function refuseSpend()
  if isSilent then return {} end
  countOfRow('-')
  return alarms({})
end

-- Adds the price, which stays counted if a provider refuses the message later. Returns the news of spending.
local function spend()
  for _, window in ipairs(rules.closed and spendWindows or {}) do
    redis.call(
      'HSET', window.key, 'total~', string.format('%.0f', window.parts[1].shadow + price), row .. '~',
      string.format('%.0f', window.parts[2].shadow + price))
    if window.isNew then redis.call('EXPIRE', window.key, rules.spend.memory[window.name]) end
  end
  if isSilent then return {} end
  local news = {}
  if spendWait() > 0 then
    countOfRow('-')
    news[1] = 'observed'
  end
  alarms(news)
  for _, window in ipairs(spendWindows) do
    redis.call(
      'HSET', window.key, 'total', string.format('%.0f', window.parts[1].spent + price), row,
      string.format('%.0f', window.parts[2].spent + price), row .. '#', window.messages + 1)
    if window.isNew then redis.call('EXPIRE', window.key, rules.spend.memory[window.name]) end
  end
  return news
end

local function countApproval()
  if isPaid then countOfRow('+') end
end
