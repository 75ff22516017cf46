-- What messages may cost: checked and added in the script that counts the send, so that no two sends see the same sum.
-- KEYS after the windows: counters of the hour, of the day. ARGV after the windows: row of prices, price, the row's own
-- budget of an hour and of a day, or '', and 'silent' for a message that does not go out. None of these: the message is free.
-- Uses: limits.lua. Gives: isPaid, readSpent, spendWait, spend, refuseSpend, countApproval.
--
-- A counter is a hash: `total` and each row's name hold what was spent; with `!` after it, the alarm that was given last;
-- with `~`, in a closed app, the shadow: what would have been spent if messages to those who are not invited went out too.
-- Strangers are judged by the shadow, so that no budget tells who is invited; known callers, who have accounts, are not.
-- in that of the hour also `#` messages, `+` approvals and `-` refusals of a row. Amounts are ten-thousandths of the
-- currency's unit, below 2^53.

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

-- What the caller may use of a budget: its last part is for those who are known.
local function usable(budget)
  return scope == STRANGER and math.floor(budget * rules.spend.strangersPercent / 100) or budget
end

-- Seconds until the windows that do not hold the price have ended; 0 when all hold it.
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

-- An alarm is given once in a window: by whoever uses so much of a budget, or is refused for want of it.
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

-- Answers what there is to tell.
local function refuseSpend()
  if isSilent then return {} end
  countOfRow('-')
  return alarms({})
end

-- Adds the price; what a provider refuses later stays spent. Answers what there is to tell.
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
