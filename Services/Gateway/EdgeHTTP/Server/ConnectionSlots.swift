import Policies

/// Who holds how many connections, and which one gives its slot back when they run short.
///
/// Decides and does nothing: `OpenConnections` closes what is chosen. A choice costs little however many are open: each
/// group remembers the next that it would lose, and at most `looksMax` are looked at to find those.
struct ConnectionSlots: Sendable {
    /// Members of a group that are looked at for its next candidates.
    static let looksMax = 4_096
    /// How many candidates are remembered.
    static let candidatesMax = 64
    /// How many groups are asked before all connections are looked at.
    static let groupsAskedMax = 16
    /// For how long a group that had nobody to lose is not looked through again.
    static let barrenMilliseconds: UInt64 = 100

    /// A connection's place here.
    typealias ID = Int

    private struct Entry: Sendable {
        let standing: ConnectionStanding
        /// The groups it counts in, and where it stands in their `members`.
        var places: [(group: Int, index: Int)]
        /// Chosen already, and not ended yet.
        var isTaken = false
    }

    private struct Group: Sendable {
        let scope: LimitScope?
        var members: [ID] = []
        /// Where it stands among the groups with as many connections.
        var rankIndex = 0
        /// The next to lose, the first one last, as they were when they were looked at.
        var candidates: [(id: ID, reading: ConnectionStanding.Reading)] = []
        var isBarrenUntil: UInt64 = 0
        var looksFrom = 0

        /// Connections per address that counts as one: a /48 may have 16 times as many as a /64.
        var share: Int { (members.count + factor - 1) / factor }
        private var factor: Int { scope?.factor ?? 1 }
    }

    private static let everyone = 0

    private var entries: [Entry?] = []
    private var freeEntries: [ID] = []
    private var groups: [Group] = [Group(scope: nil)]
    private var freeGroups: [Int] = []
    private var groupOf: [LimitScope: Int] = [:]
    /// Groups by share; found in one step, since a share changes by one.
    private var byShare: [[Int]] = [[]]
    private var largestShare = 0
    /// Connections that are chosen and have not ended yet.
    private(set) var takenCount = 0

    /// Open connections, all of them.
    var count: Int { entries.count - freeEntries.count }

    /// Counts a connection in; nil when one of its blocks of addresses has its maximum.
    ///
    /// - Parameter scopes: empty for a proxy behind which there are many clients: its connections are not taken back.
    mutating func admit(
        _ standing: ConnectionStanding, scopes: [LimitScope], perAddressMax: Int
    ) -> ID? {
        guard hasRoom(for: scopes, perAddressMax: perAddressMax) else { return nil }
        let id = freeEntries.popLast() ?? entries.count
        if id == entries.count { entries.append(nil) }
        entries[id] = Entry(standing: standing, places: join(id, scopes))
        return id
    }

    /// Counts a connection of a proxy by the client that it was announced for; false when one of its blocks of addresses has
    /// its maximum.
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

    /// Counts a connection out.
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

    /// A connection that gives its slot back, and as what it was chosen.
    typealias Choice = (id: ID, rank: ConnectionStanding.Rank)

    /// Chooses the connection that gives its slot back: of the address or network that holds most, first those at rest, then
    /// unfinished heads and bodies, longest without progress first. One that is being answered goes only when none of the
    /// others is left; nil when there is none at all.
    ///
    /// - Parameter now: milliseconds of the clock of the standings.
    mutating func takeBack(now: UInt64) -> Choice? {
        for group in largestGroups() {
            if let choice = candidate(in: group, upTo: .unfinished, now: now) { return choice }
        }
        // While some of theirs are on their way out, nobody else has to go.
        guard takenCount == 0 else { return nil }
        if let choice = candidate(in: Self.everyone, upTo: .unfinished, now: now) { return choice }
        for group in largestGroups() {
            if let choice = candidate(in: group, upTo: .answering, now: now) { return choice }
        }
        return nil
    }

    /// A chosen connection was busy after all, and keeps its slot.
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

    /// A remembered one that has not moved since.
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

    /// Changes a group's members and its place among the others.
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
