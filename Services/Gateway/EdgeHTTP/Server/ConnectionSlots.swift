import Policies

/// The number of connections of each client, and the choice of the connection that loses its slot when slots run short.
///
/// It only decides; `OpenConnections` closes the chosen one. A choice is cheap however many connections are open. Each group
/// remembers the next ones that it would lose, and at most `looksMax` are examined to find those.
struct ConnectionSlots: Sendable {
    /// The members of a group that are examined for its next candidates.
    static let looksMax = 4_096
    /// How many candidates are remembered.
    static let candidatesMax = 64
    /// How many groups are tried before all connections are examined.
    static let groupsAskedMax = 16
    /// How long a group without a candidate is not examined again, in milliseconds.
    static let barrenMilliseconds: UInt64 = 100

    /// The index of a connection in this table.
    typealias ID = Int

    private struct Entry: Sendable {
        let standing: ConnectionStanding
        /// The groups in which it is counted, and its index in their `members`.
        var places: [(group: Int, index: Int)]
        /// Whether it is chosen already, and has not ended yet.
        var isTaken = false
    }

    private struct Group: Sendable {
        let scope: LimitScope?
        var members: [ID] = []
        /// Its index among the groups with as many connections.
        var rankIndex = 0
        /// The next connections to lose, with the first one at the end, and the reading of each when it was examined.
        var candidates: [(id: ID, reading: ConnectionStanding.Reading)] = []
        var isBarrenUntil: UInt64 = 0
        var looksFrom = 0

        /// The connections per address that counts as one: a /48 may have 16 times as many as a /64.
        var share: Int { (members.count + factor - 1) / factor }
        private var factor: Int { scope?.factor ?? 1 }
    }

    private static let everyone = 0

    private var entries: [Entry?] = []
    private var freeEntries: [ID] = []
    private var groups: [Group] = [Group(scope: nil)]
    private var freeGroups: [Int] = []
    private var groupOf: [LimitScope: Int] = [:]
    /// The groups by share. A group moves by one step, since its share changes by one.
    private var byShare: [[Int]] = [[]]
    private var largestShare = 0
    /// The number of connections that are chosen and have not ended yet.
    private(set) var takenCount = 0

    /// The number of all open connections.
    var count: Int { entries.count - freeEntries.count }

    /// Adds a connection, or returns `nil` if one of its address blocks has its maximum.
    ///
    /// - Parameter scopes: the address blocks of the client; empty for a proxy with many clients, whose connections are not taken
    ///   back.
    mutating func admit(
        _ standing: ConnectionStanding, scopes: [LimitScope], perAddressMax: Int
    ) -> ID? {
        guard hasRoom(for: scopes, perAddressMax: perAddressMax) else { return nil }
        let id = freeEntries.popLast() ?? entries.count
        if id == entries.count { entries.append(nil) }
        entries[id] = Entry(standing: standing, places: join(id, scopes))
        return id
    }

    /// Counts a proxy's connection for the client that it was announced for, or returns `false` if one of that client's address
    /// blocks has its maximum.
    mutating func assign(_ id: ID, to scopes: [LimitScope], perAddressMax: Int) -> Bool {
        guard let entry = entries[id], entry.places.isEmpty, !scopes.isEmpty else { return true }
        guard hasRoom(for: scopes, perAddressMax: perAddressMax) else { return false }
        let places = join(id, scopes)
        entries[id]?.places = places
        return true
    }

    private func hasRoom(for scopes: [LimitScope], perAddressMax: Int) -> Bool {
        scopes.allSatisfy { scope in
            (groupOf[scope].map { groups[$0].members.count } ?? 0) < scope.max(of: perAddressMax)
        }
    }

    private mutating func join(_ id: ID, _ scopes: [LimitScope]) -> [(group: Int, index: Int)] {
        var places: [(group: Int, index: Int)] = []
        for group in (scopes.isEmpty ? [] : [Self.everyone]) + scopes.map({ find($0) }) {
            places.append((group, groups[group].members.count))
            change(group) { $0.append(id) }
        }
        return places
    }

    /// Removes a connection.
    mutating func remove(_ id: ID) {
        guard let entry = entries[id] else { return }
        for place in entry.places {
            let last = groups[place.group].members.last
            change(place.group) { members in
                members.swapAt(place.index, members.count - 1)
                members.removeLast()
            }
            if let last, last != id { move(last, in: place.group, to: place.index) }
            dropIfEmpty(place.group)
        }
        if entry.isTaken { takenCount -= 1 }
        entries[id] = nil
        freeEntries.append(id)
    }

    /// A connection that loses its slot, and the rank for which it was chosen.
    typealias Choice = (id: ID, rank: ConnectionStanding.Rank)

    /// Chooses the connection that loses its slot, from the IP address or network that has most connections. Idle connections come
    /// first, then unfinished heads and bodies, those with the longest time without progress first. A connection that is being
    /// answered is chosen only if there is no other. Returns `nil` if there is none at all.
    ///
    /// - Parameter now: milliseconds of the clock of the standings.
    mutating func takeBack(now: UInt64) -> Choice? {
        for group in largestGroups() {
            if let choice = candidate(in: group, upTo: .unfinished, now: now) { return choice }
        }
        // While chosen connections of these groups are still closing, no other group loses one.
        guard takenCount == 0 else { return nil }
        if let choice = candidate(in: Self.everyone, upTo: .unfinished, now: now) { return choice }
        for group in largestGroups() {
            if let choice = candidate(in: group, upTo: .answering, now: now) { return choice }
        }
        return nil
    }

    /// Returns the slot to a chosen connection that turned out to be in use.
    mutating func keep(_ id: ID) {
        guard entries[id]?.isTaken == true else { return }
        entries[id]?.isTaken = false
        takenCount -= 1
    }

    private func largestGroups() -> [Int] {
        var found: [Int] = []
        var share = largestShare
        while share > 0, found.count < Self.groupsAskedMax {
            found += byShare[share].prefix(Self.groupsAskedMax - found.count)
            share -= 1
        }
        return found
    }

    private mutating func candidate(in group: Int, upTo rank: ConnectionStanding.Rank, now: UInt64) -> Choice? {
        if let choice = nextCandidate(in: group, upTo: rank) { return choice }
        guard rank == .answering || groups[group].isBarrenUntil <= now else { return nil }
        look(through: group, upTo: rank)
        if let choice = nextCandidate(in: group, upTo: rank) { return choice }
        groups[group].isBarrenUntil = now + Self.barrenMilliseconds
        return nil
    }

    /// Returns a remembered candidate that has made no progress since.
    private mutating func nextCandidate(in group: Int, upTo rank: ConnectionStanding.Rank) -> Choice? {
        while let next = groups[group].candidates.last, next.reading.rank.rawValue <= rank.rawValue {
            groups[group].candidates.removeLast()
            guard let entry = entries[next.id], !entry.isTaken, entry.standing.reading == next.reading else { continue }
            entries[next.id]?.isTaken = true
            takenCount += 1
            return (next.id, next.reading.rank)
        }
        return nil
    }

    private mutating func look(through group: Int, upTo rank: ConnectionStanding.Rank) {
        let members = groups[group].members
        guard !members.isEmpty else { return }
        let looks = min(members.count, Self.looksMax)
        var found: [(id: ID, reading: ConnectionStanding.Reading)] = []
        for offset in 0..<looks {
            let id = members[(groups[group].looksFrom + offset) % members.count]
            guard let entry = entries[id], !entry.isTaken else { continue }
            let reading = entry.standing.reading
            if reading.rank.rawValue <= rank.rawValue { found.append((id, reading)) }
        }
        groups[group].looksFrom = (groups[group].looksFrom + looks) % members.count
        found.sort { $0.reading < $1.reading }
        groups[group].candidates = found.prefix(Self.candidatesMax).reversed()
    }

    private mutating func find(_ scope: LimitScope) -> Int {
        if let known = groupOf[scope] { return known }
        let group = freeGroups.popLast() ?? groups.count
        if group == groups.count { groups.append(Group(scope: scope)) } else { groups[group] = Group(scope: scope) }
        groupOf[scope] = group
        return group
    }

    private mutating func dropIfEmpty(_ group: Int) {
        guard groups[group].members.isEmpty, let scope = groups[group].scope else { return }
        groupOf[scope] = nil
        groups[group] = Group(scope: nil)
        freeGroups.append(group)
    }

    private mutating func move(_ id: ID, in group: Int, to index: Int) {
        guard let place = entries[id]?.places.firstIndex(where: { $0.group == group }) else { return }
        entries[id]?.places[place].index = index
    }

    /// Changes a group's members and its position among the others.
    private mutating func change(_ group: Int, _ edit: (inout [ID]) -> Void) {
        let before = groups[group].share
        edit(&groups[group].members)
        let after = groups[group].share
        guard group != Self.everyone, before != after else { return }
        if before > 0 { leave(group, share: before) }
        if after > 0 { enter(group, share: after) }
    }

    private mutating func leave(_ group: Int, share: Int) {
        let index = groups[group].rankIndex
        if let last = byShare[share].popLast(), last != group {
            byShare[share][index] = last
            groups[last].rankIndex = index
        }
        while largestShare > 0, byShare[largestShare].isEmpty { largestShare -= 1 }
    }

    private mutating func enter(_ group: Int, share: Int) {
        while byShare.count <= share { byShare.append([]) }
        groups[group].rankIndex = byShare[share].count
        byShare[share].append(group)
        largestShare = max(largestShare, share)
    }
}
