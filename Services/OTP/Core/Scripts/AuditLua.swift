import InternalAPI

/// Lua functions that leave audit records on the stream `audit:otp`, in the script of the act.
enum AuditLua {
    static let source = """
        local function audit(at, event, subject, detail)
          redis.call('XADD', auditKey, '*', '\(OTPAuditStream.Field.time)', at, '\(OTPAuditStream.Field.event)', event,
            '\(OTPAuditStream.Field.subject)', subject, '\(OTPAuditStream.Field.detail)', detail)
        end

        -- Refusals are counted by minute, so that a flood of them cannot fill the stream: whichever script comes first
        -- in a later minute writes the counts of the minute before.
        local function flushRefusals()
          local minute = tonumber(redis.call('HGET', refusalsKey, 'minute'))
          if not minute or minute == now - now % 60 then return end
          local counts = redis.call('HGETALL', refusalsKey)
          redis.call('DEL', refusalsKey)
          for index = 1, #counts, 2 do
            if counts[index] ~= 'minute' then
              audit(minute, '\(OTPAuditEvent.refused.rawValue)', '', counts[index] .. ' ' .. counts[index + 1])
            end
          end
        end

        local function countRefusal(words)
          redis.call('HSET', refusalsKey, 'minute', now - now % 60)
          redis.call('HINCRBY', refusalsKey, words, 1)
        end


        """
}
