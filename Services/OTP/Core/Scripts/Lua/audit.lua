-- Writes audit records to the stream of otp-service, in the function of the operation.
-- KEYS: refusals, audit.

local AUDIT_FULL = { 'result', 'audit_full' }

local function isAuditFull(keys) return redis.call('XLEN', keys[2]) >= audited.entriesMax end

local function writeAudit(keys, at, event, subject, detail, identity, tally)
  local fields = audited.fields
  local record = { fields.time, at, fields.event, event, fields.subject, subject, fields.detail, detail }
  if tally then record = { fields.tally, tally, unpack(record) } end
  if identity then
    record[#record + 1] = fields.identity
    record[#record + 1] = identity
  end
  redis.call('XADD', keys[2], '*', unpack(record))
end

-- Refusals are counted by minute, so that a flood of them cannot fill the stream. The first function in a later minute writes the
-- counts of the minute before.
local function flushRefusals(keys, now)
  local minute = tonumber(redis.call('HGET', keys[1], 'minute'))
  if not minute or minute == now - now % 60 then return end
  local counts = redis.call('HGETALL', keys[1])
  redis.call('DEL', keys[1])
  for index = 1, #counts, 2 do
    if counts[index] ~= 'minute' then
      writeAudit(keys, minute, audited.refused, '', counts[index] .. ' ' .. counts[index + 1])
    end
  end
end

-- Notes an audit record and a refusal, which are written with the state. `identity`: the encrypted one, if its account is reviewed.
local function audit(state, event, subject, detail, identity)
  state.records[#state.records + 1] = { event, subject, detail, identity }
end
local function countRefusal(state, words) state.refusal = words .. ' ' .. scopeName(state) end

local function limited(state, operation, rule, wait)
  countRefusal(state, operation .. ' ' .. rule)
  return { result = 'limited', rule = rule, seconds = wait }
end

-- Records of messages and codes also have their label, which is a country and a channel, and what was paid, for the charts.
local function writeAudits(state, keys)
  for _, record in ipairs(state.records) do
    local event, subject, detail, identity = unpack(record, 1, 4)
    local isCounted = event == audited.sent or event == audited.approved or event == audited.paid
    local tally = state.label and isCounted and state.label .. ' ' .. (state.paid or 0)
    writeAudit(keys, state.now, event, subject, detail, identity, tally)
  end
  if state.refusal then
    redis.call('HSET', keys[1], 'minute', state.now - state.now % 60)
    redis.call('HINCRBY', keys[1], state.refusal, 1)
  end
end
