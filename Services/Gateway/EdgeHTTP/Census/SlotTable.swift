import Policies

/// The open connections by client, and the choice of the connection that loses its slot when slots run short.
///
/// It only decides; `ConnectionCensus` closes the chosen one. A choice is cheap however many connections are open: at most
/// `looksMax` are examined at once, and the next ones in their `ClosingOrder` are remembered.
struct SlotTable: Sendable {
    /// The connections that are examined at once.
    static let looksMax = 4_096
    /// The greatest number of candidates that are remembered, and the divisor of the open connections that gives the number. In
    /// between, the shares of clients are those of the last examination.
    static let candidatesMax = 64
    static let candidatesPart = 64
    /// How long connections are not examined again after all had to be spared, in milliseconds.
    static let pauseMilliseconds: UInt64 = 100

    private struct Entry: Sendable {
        let slot: ConnectionSlot
        /// The groups in which it is counted.
        var groups: [Int]
        /// Whether it is chosen already, and has not ended yet.
        var isTaken = false
    }

    /// The connections of one address block.
    private struct Group: Sendable {
        let scope: LimitScope
        var count = 0
    }

    private struct Candidate: Sendable {
        let id: Int
        let order: ClosingOrder
    }

    private var entries: [Entry?] = []
    private var freeEntries: [Int] = []
    private var groups: [Group] = []
    private var freeGroups: [Int] = []
    private var groupOf: [LimitScope: Int] = [:]
    /// The next connections to lose, with the first one at the end.
    private var candidates: [Candidate] = []
    private var looksFrom = 0
    private var isPausedUntil: UInt64 = 0
    /// The number of connections that are chosen and have not ended yet.
    private(set) var takenCount = 0

    /// The number of all open connections.
    var count: Int { entries.count - freeEntries.count }
    var slots: [ConnectionSlot] { entries.compactMap { $0?.slot } }

    // MARK: The connections of each client

    /// Adds a connection, or returns `nil` if one of its address blocks has its maximum.
    ///
    /// - Parameters:
    ///   - scopes: the address blocks of the client; empty for a proxy with many clients, whose connections are not taken back.
    ///   - make: creates the slot with its index in this table.
    mutating func admit(
        scopes: [LimitScope], perAddressMax: Int, _ make: (Int) -> ConnectionSlot
    ) -> ConnectionSlot? {
        guard hasRoom(for: scopes, perAddressMax: perAddressMax) else { return nil }
        let id = freeEntries.popLast() ?? entries.count
        if id == entries.count { entries.append(nil) }
        let slot = make(id)
        entries[id] = Entry(slot: slot, groups: scopes.map { join($0) })
        return slot
    }

    /// Counts a proxy's connection for the client that it was announced for, or returns `false` if one of that client's address
    /// blocks has its maximum.
    mutating func assign(_ slot: ConnectionSlot, to scopes: [LimitScope], perAddressMax: Int) -> Bool {
        guard let entry = entries[slot.id], entry.groups.isEmpty else { return true }
        guard hasRoom(for: scopes, perAddressMax: perAddressMax) else { return false }
        let groups = scopes.map { join($0) }
        entries[slot.id]?.groups = groups
        return true
    }

    /// Removes a connection.
    mutating func remove(_ slot: ConnectionSlot) {
        guard let entry = entries[slot.id] else { return }
        for group in entry.groups { leave(group) }
        if entry.isTaken { takenCount -= 1 }
        entries[slot.id] = nil
        freeEntries.append(slot.id)
    }

    private func hasRoom(for scopes: [LimitScope], perAddressMax: Int) -> Bool {
        scopes.allSatisfy { scope in (groupOf[scope].map { groups[$0].count } ?? 0) < scope.max(of: perAddressMax) }
    }

    private mutating func join(_ scope: LimitScope) -> Int {
        let group = groupOf[scope] ?? add(Group(scope: scope))
        groups[group].count += 1
        return group
    }

    private mutating func add(_ group: Group) -> Int {
        let index = freeGroups.popLast() ?? groups.count
        if index == groups.count { groups.append(group) } else { groups[index] = group }
        groupOf[group.scope] = index
        return index
    }

    private mutating func leave(_ group: Int) {
        groups[group].count -= 1
        guard groups[group].count == 0 else { return }
        groupOf[groups[group].scope] = nil
        freeGroups.append(group)
    }

    // MARK: The choice

    /// Chooses the connection that loses its slot, and returns it with the rank for which it was chosen. A connection that is being
    /// answered is chosen only if there is no other and no chosen one is still closing. Returns `nil` if there is none.
    ///
    /// - Parameter now: milliseconds of the clock of the standings.
    mutating func takeBack(now: UInt64) -> (slot: ConnectionSlot, rank: ConnectionRank)? {
        var next = nextCandidate()
        if next == nil || next?.order.isSpared == true && isPausedUntil <= now {
            look()
            next = nextCandidate()
            if next?.order.isSpared == true { isPausedUntil = now + Self.pauseMilliseconds }
        }
        guard let next, !next.order.isSpared || takenCount == 0, let slot = entries[next.id]?.slot else { return nil }
        entries[next.id]?.isTaken = true
        takenCount += 1
        return (slot, next.order.standing.rank)
    }

    /// Returns the slot to a chosen connection that turned out to be in use.
    mutating func keep(_ slot: ConnectionSlot) {
        guard let entry = entries[slot.id], entry.slot === slot, entry.isTaken else { return }
        entries[slot.id]?.isTaken = false
        takenCount -= 1
    }

    /// Returns the first remembered candidate that has made no progress since.
    private mutating func nextCandidate() -> Candidate? {
        while let next = candidates.last {
            if let entry = entries[next.id], !entry.isTaken, entry.slot.standing == next.order.standing { return next }
            candidates.removeLast()
        }
        return nil
    }

    /// Examines connections. Each one of a client lowers the client's share for those after it.
    private mutating func look() {
        // If there are too many, every second, third or so is examined: connections that a client opened at once are adjacent.
        let step = 1 + entries.count / Self.looksMax
        looksFrom = (looksFrom + 1) % step
        var found: [(id: Int, standing: Standing)] = []
        for id in stride(from: looksFrom, to: entries.count, by: step) {
            guard let entry = entries[id], !entry.isTaken, !entry.groups.isEmpty else { continue }
            found.append((id, entry.slot.standing))
        }
        var counts = groups.map(\.count)
        let ordered = found.sorted { $0.standing < $1.standing }.map { id, standing in
            Candidate(id: id, order: ClosingOrder(share: takeShare(of: id, from: &counts), standing: standing))
        }
        let remembered = min(max(1, count / Self.candidatesPart), Self.candidatesMax)
        candidates = ordered.sorted { $0.order < $1.order }.prefix(remembered).reversed()
    }

    /// Returns the largest share of the connection's groups, in connections per address, and counts one less in each: a /48 may have
    /// 16 times as many as a /64.
    private func takeShare(of id: Int, from counts: inout [Int]) -> Double {
        (entries[id]?.groups ?? []).reduce(0) { share, group in
            defer { counts[group] -= 1 }
            return max(share, Double(counts[group]) / Double(groups[group].scope.factor))
        }
    }
}
