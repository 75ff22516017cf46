/// What is kept of a number, as one packed value; Lua functions that read and write it.
///
/// A million numbers have to fit into little memory, so that nobody fills Redis by asking for codes: a number that
/// asked for a code and signed in with it takes 34 bytes. Its value lies with others in a hash small enough for Redis to
/// keep as one block of memory (`bucketValueBytesMax`); a long history gets a key of its own. Everything about a number
/// is always one value: challenge, attempts and lockouts are lost together or not at all.
///
/// ```text
/// head      1   known blocks (3 bits), lock of known, lock of strangers, challenges (3 bits)
/// known     6   each: tag of the address block (4), day of the last sign-in (2)
/// lock      4   each: Unix seconds of its end
/// base      4   Unix seconds that the times below count from; missing when nothing follows
/// challenge 9+  each: seconds since base × 8 + place (variable), seed (2), proof (5), tag of Redis' run (2),
///               marks (1): tries of known (3 bits), of strangers (3 bits), wanted by known, approved;
///               seconds from its beginning to its approval (2), if approved
/// event     2+  each: kind (2 bits), scope, has a call (1 byte), seconds since the event before (variable),
///               tag of the call (3), if it has one
/// ```
enum NumberStateLua {
    /// Longer values leave the bucket: Redis' `hash-max-listpack-value` by default. One longer value would turn its
    /// whole bucket into a table of many times the size.
    static let bucketValueBytesMax = 64

    static let source = """
        local KNOWN, STRANGER = 1, 2
        local SENT, FAILED, RIGHT, WRONG = 0, 1, 2, 3
        local floor, char = math.floor, string.char

        local function unpackState(text)
          local state = { known = {}, locked = { 0, 0 }, challenges = {}, events = {} }
          if not text then return state end
          local at = 1
          local function bytes(count)
            at = at + count
            return string.sub(text, at - count, at - 1)
          end
          local function number(count)
            local value = 0
            for place = at, at + count - 1 do value = value * 256 + string.byte(text, place) end
            at = at + count
            return value
          end
          local function variable()
            local value, scale, byte = 0, 1, nil
            repeat
              byte = number(1)
              value = value + byte % 128 * scale
              scale = scale * 128
            until byte < 128
            return value
          end

          local head = number(1)
          for index = 1, head % 8 do state.known[index] = { block = bytes(4), day = number(2) } end
          if floor(head / 8) % 2 == 1 then state.locked[KNOWN] = number(4) end
          if floor(head / 16) % 2 == 1 then state.locked[STRANGER] = number(4) end
          if at > #text then return state end
          local base = number(4)
          for index = 1, floor(head / 32) do
            local mixed = variable()
            local challenge = { place = mixed % 8, created = base + floor(mixed / 8), seed = bytes(2), proof = bytes(5) }
            challenge.run = bytes(2)
            local marks = number(1)
            challenge.tries = { marks % 8, floor(marks / 8) % 8 }
            challenge.wanted = floor(marks / 64) % 2 == 1
            if marks >= 128 then challenge.approved = challenge.created + number(2) end
            state.challenges[index] = challenge
          end
          local time = base
          while at <= #text do
            local mark = number(1)
            time = time + variable()
            local event = { kind = mark % 4, scope = floor(mark / 4) % 2 + 1, time = time }
            if mark >= 8 then event.call = bytes(3) end
            state.events[#state.events + 1] = event
          end
          return state
        end

        -- Big-endian.
        local function bytesOf(value, count)
          local text = ''
          for _ = 1, count do
            text = char(value % 256) .. text
            value = floor(value / 256)
          end
          return text
        end

        local function variableOf(value)
          local text = ''
          while value >= 128 do
            text = text .. char(value % 128 + 128)
            value = floor(value / 128)
          end
          return text .. char(value)
        end

        -- '' when there is nothing to keep.
        local function packState(state)
          local head = #state.known + #state.challenges * 32
          local parts = { '' }
          for _, known in ipairs(state.known) do parts[#parts + 1] = known.block .. bytesOf(known.day, 2) end
          for scope, bit in ipairs({ 8, 16 }) do
            if state.locked[scope] > 0 then
              head = head + bit
              parts[#parts + 1] = bytesOf(state.locked[scope], 4)
            end
          end
          local base = state.events[1] and state.events[1].time
          for _, challenge in ipairs(state.challenges) do base = math.min(base or challenge.created, challenge.created) end
          if base then parts[#parts + 1] = bytesOf(base, 4) end
          for _, challenge in ipairs(state.challenges) do
            local marks = challenge.tries[KNOWN] + challenge.tries[STRANGER] * 8
            if challenge.wanted then marks = marks + 64 end
            if challenge.approved then marks = marks + 128 end
            parts[#parts + 1] = variableOf((challenge.created - base) * 8 + challenge.place)
              .. challenge.seed .. challenge.proof .. challenge.run .. char(marks)
            if challenge.approved then parts[#parts + 1] = bytesOf(challenge.approved - challenge.created, 2) end
          end
          local time = base
          for _, event in ipairs(state.events) do
            local mark = event.kind + (event.scope - 1) * 4
            if event.call then mark = mark + 8 end
            parts[#parts + 1] = char(mark) .. variableOf(event.time - time) .. (event.call or '')
            time = event.time
          end
          parts[1] = #parts > 1 and char(head) or ''
          return table.concat(parts)
        end

        local function challengeEnd(challenge) return challenge.created + rules.challengeMemory end
        local function knownEnd(known) return (known.day + 1) * 86400 + rules.knownSeconds end
        local function eventEnd(event)
          return event.time + (event.kind <= FAILED and rules.sendMemory or rules.attemptMemory)
        end

        -- Drops what no longer counts. Clocks of replicas may be seconds apart: events are sorted, never assumed to be.
        local function prune(state)
          local function kept(list, ends)
            local some = {}
            for _, item in ipairs(list) do
              if ends(item) > now then some[#some + 1] = item end
            end
            return some
          end
          state.known = kept(state.known, knownEnd)
          state.challenges = kept(state.challenges, challengeEnd)
          state.events = kept(state.events, eventEnd)
          table.sort(state.events, function(a, b) return a.time < b.time end)
          for scope = KNOWN, STRANGER do
            if state.locked[scope] <= now then state.locked[scope] = 0 end
          end
          for _, event in ipairs(state.events) do
            if event.time + rules.callMemory <= now then event.call = nil end
          end
          return state
        end

        -- Seconds until nothing of it counts any more.
        local function stateLife(state)
          local ends = math.max(state.locked[KNOWN], state.locked[STRANGER])
          for _, known in ipairs(state.known) do ends = math.max(ends, knownEnd(known)) end
          for _, challenge in ipairs(state.challenges) do ends = math.max(ends, challengeEnd(challenge)) end
          for _, event in ipairs(state.events) do ends = math.max(ends, eventEnd(event)) end
          return math.max(1, ends - now)
        end


        """
}
