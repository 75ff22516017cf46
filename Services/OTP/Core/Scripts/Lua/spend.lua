-- The cost of messages: checked and added in the function that counts the send, so that no two sends read the same sum.
-- KEYS: the last two are the counters of the hour and of the day, if the call has a row of prices. Without one the message is free.
--
-- A counter is a hash. `total` and each row's name contain the amount spent; with `!` after it, the last alarm; with `~`, in a
-- closed app, the shadow: the amount as if messages to people who are not invited were sent too. The counter of the hour also has
-- the `#` messages, `+` approvals and `-` refusals of a row. The shadow limits unrecognised clients, so that no budget reveals who
-- is invited; it does not limit recognised clients, who have accounts. Amounts are ten-thousandths of the currency's unit, below
-- 2^53.

-- Reads what the call says of its message, and the counters if the amounts are needed.
local function readSpend(state, call, keys, readsAmounts)
  local row, budgets = call.row, state.rules.spend
  if not row or not budgets then return end
  local spend = { row = row, price = tonumber(call.price), isSilent = call.isSilent ~= nil, hourKey = keys[#keys - 1], windows = {} }
  state.spend = spend
  if not readsAmounts then return end
  local function read(name, key, seconds, total, own)
    local spent = redis.call('HMGET', key, 'total', 'total!', row, row .. '!', row .. '#', 'total~', row .. '~')
    local function part(scope, budget, amount, alarm, shadow)
      return {
        scope = scope, budget = budget, spent = tonumber(spent[amount]) or 0, alarm = tonumber(spent[alarm]) or 0,
        shadow = tonumber(spent[shadow]) or 0,
      }
    end
    spend.windows[#spend.windows + 1] = {
      name = name, key = key, ends = state.now - state.now % seconds + seconds, isNew = not spent[1] and not spent[6],
      messages = tonumber(spent[5]) or 0, parts = { part('total', total, 1, 2, 6), part(row, tonumber(own), 3, 4, 7) },
      memory = budgets.memory[name], fields = {},
    }
  end
  read('hour', spend.hourKey, 3600, budgets.hour, call.hourBudget)
  read('day', keys[#keys], 86400, budgets.day, call.dayBudget)
end

local function setCounter(window, field, value)
  window.fields[#window.fields + 1] = field
  window.fields[#window.fields + 1] = value
end

-- Adds one to a figure of the row.
local function countOfRow(state, mark) state.spend.mark = mark end

local function writeSpend(state)
  local spend = state.spend
  if not spend then return end
  for _, window in ipairs(spend.windows) do
    if #window.fields > 0 then
      redis.call('HSET', window.key, unpack(window.fields))
      if window.expires then redis.call('EXPIRE', window.key, window.memory) end
    end
  end
  if spend.mark and redis.call('HINCRBY', spend.hourKey, spend.row .. spend.mark, 1) == 1 then
    redis.call('EXPIRE', spend.hourKey, state.rules.spend.memory.hour)
  end
end

-- Returns the part of a budget that the client may use, because its last part is for recognised clients.
local function usable(state, budget)
  return state.scope == STRANGER and math.floor(budget * state.rules.spend.strangersPercent / 100) or budget
end

-- Returns the seconds until the windows without room for the price have ended, or 0 if all have room.
local function spendWait(state)
  local wait = 0
  for _, window in ipairs(state.spend.windows) do
    for _, part in ipairs(window.parts) do
      local isShadowed = state.rules.closed and state.scope == STRANGER
      local spent = isShadowed and math.max(part.spent, part.shadow) or part.spent
      if part.budget and spent + state.spend.price > usable(state, part.budget) then
        wait = math.max(wait, window.ends - state.now)
      end
    end
  end
  return wait
end

-- An alarm is raised once in a window: by the first send that uses so much of a budget, or is refused because of it.
local function alarms(state, news)
  for _, window in ipairs(state.spend.windows) do
    for _, part in ipairs(window.parts) do
      local reached = 0
      for _, percent in ipairs({ 50, 80, 100 }) do
        if part.budget and (part.spent + state.spend.price) * 100 >= part.budget * percent then reached = percent end
      end
      if reached > part.alarm then
        setCounter(window, part.scope .. '!', reached)
        window.expires = true
        local alarm = window.name .. ' ' .. reached .. ' ' .. part.scope
        audit(state, audited.spend, '', alarm)
        news[#news + 1] = 'alarm ' .. alarm
      end
    end
  end
  return news
end

-- Refuses a message, which is one of the row's figures.
local function overBudget(state, operation, wait)
  local values = limited(state, operation, 'budget', wait)
  if not state.spend.isSilent then
    countOfRow(state, '-')
    values.news = alarms(state, {})
  end
  return values
end

-- Adds the price, which stays counted if a provider refuses the message later. Returns the news of spending.
local function spend(state)
  local price, news = state.spend.price, {}
  local isRefused = spendWait(state) > 0
  for _, window in ipairs(state.spend.windows) do
    local function add(mark, amount)
      for _, part in ipairs(window.parts) do
        setCounter(window, part.scope .. mark, string.format('%.0f', part[amount] + price))
      end
      window.expires = window.expires or window.isNew
    end
    if state.rules.closed then add('~', 'shadow') end
    if not state.spend.isSilent then
      add('', 'spent')
      setCounter(window, state.spend.row .. '#', window.messages + 1)
    end
  end
  if state.spend.isSilent then return news end
  state.paid = price
  if isRefused then
    countOfRow(state, '-')
    news[1] = 'observed'
  end
  return alarms(state, news)
end
