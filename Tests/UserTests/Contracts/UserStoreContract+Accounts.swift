import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Passwords, registrations, links, invitations and first answers.
extension UserStoreContract {
    private func facts(
        _ storage: StorageReplica, _ subject: UserQuestion.Subject = .address(address), call: CallTag? = nil,
        at now: Int64 = 1_000
    ) async throws -> UserFacts {
        try await storage.users.facts(UserQuestion(subject, call: call, askedAt: now))
    }

    private func note(_ changes: [UserChange], _ storage: StorageReplica) async throws {
        try await storage.users.put(changes, now: 1_000)
    }

    private func areOpen(_ links: [AccountLink], _ storage: StorageReplica) async throws -> [Bool] {
        var open: [Bool] = []
        for link in links { open.append(try await facts(storage, .link(hash: link.hash)).link != nil) }
        return open
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user has one password, found by address and by id, which keeps the time of its last change`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.signIn(Self.email).user
        for (time, kept) in [(nil, nil), (900, 900), (nil, 900)] as [(Int64?, Int64?)] {
            let version = Int64.max - (time ?? 0)
            try await note(
                [.setPassword(StoredPassword(hash: "a", version: version, changedAt: time), of: user.id)], storage)
            let password = StoredPassword(hash: "a", version: version, changedAt: kept)
            #expect(try await facts(storage).password == password)
            let own = try await facts(storage, .account(user.id))
            #expect(own.password == password && own.address == Self.address && own.holder == user)
            #expect(try await facts(storage, .user(user.id)).password == nil)
        }
        try await note([.removePassword(of: user.id)], storage)
        #expect(try await facts(storage).password == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `registrations come oldest first, until they expire or end, with their links`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let (first, second, third) = (registration(), registration(createdAt: 1_100), registration(createdAt: 1_200))
        let links = [first, second, third].map { link($0.id) }
        try await note([third, second, first].map { .addRegistration($0) } + links.map { .addLink($0) }, storage)
        let stored = try await facts(storage, at: 1_300)
        #expect(stored.registrations == [first, second, third] && stored.holder == nil)
        #expect(try await facts(storage, at: 1_600).registrations == [third])
        #expect(try await facts(storage, .link(hash: links[1].hash)).registrations == [first, second, third])
        try await note([.endRegistration(first.id)], storage)
        #expect(try await facts(storage).registrations == [second, third])
        #expect(try await areOpen(links, storage) == [false, true, true])
        try await note([.endRegistrations(address: Self.address)], storage)
        #expect(try await facts(storage).registrations == [])
        #expect(try await areOpen(links, storage) == [false, false, false])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a link that reports a change leads to its user, and ends with those of later changes`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let links = [(user.id, 1_010), (user.id, 1_020), (user.id, 1_030), (UserID.new(), 1_030)].map { id, time in
            AccountLink(
                hash: SecureRandom.bytes(32), purpose: .notMe, subject: id, address: "", createdAt: time,
                expiresAt: 1_400)
        }
        try await note(links.map { .addLink($0) }, storage)
        let found = try await facts(storage, .link(hash: links[0].hash))
        #expect(found.link == links[0] && found.holder == user && found.address == nil)
        #expect(try await facts(storage, .link(hash: links[3].hash)).holder == nil)
        try await note([.endLinks(of: user.id)], storage)
        #expect(try await areOpen(links, storage) == [true, true, true, true])
        try await note([.endNotMeLinks(of: user.id, since: 1_020)], storage)
        #expect(try await areOpen(links, storage) == [true, false, false, true])
    }

    @Test(arguments: DatabaseKind.allCases, AccountLink.Purpose.allCases.filter { $0 != .notMe })
    func `a link leads to its address until it expires or its subject's links end`(
        _ engine: DatabaseKind, _ purpose: AccountLink.Purpose
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let (link, other) = (link(.new(), purpose), link(.new(), purpose))
        try await note([.addLink(link), .addLink(other)], storage)
        let found = try await facts(storage, .link(hash: link.hash), at: 1_399)
        #expect(found.link == link && found.address == Self.address)
        #expect(try await facts(storage, .link(hash: link.hash), at: 1_400).link == nil)
        var bytes = link.hash
        bytes[31] ^= 1
        #expect(try await facts(storage, .link(hash: bytes)).link == nil)
        try await note([.endLinks(of: link.subject)], storage)
        #expect(try await areOpen([link, other], storage) == [false, true])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an identity has one invitation, the newest, and its link ends with it`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let number = VerifiedIdentity.phone(Self.phone)
        let first = Invitation(id: .new(), identity: Self.email, role: "user", expiresAt: 1_100)
        let second = Invitation(id: .new(), identity: Self.email, role: "admin", expiresAt: 1_200)
        let ofNumber = Invitation(id: .new(), identity: number, role: "user", expiresAt: 1_100)
        let link = link(second.id, .invitation)
        try await note([first, ofNumber, second].map { .addInvitation($0) } + [.addLink(link)], storage)
        #expect(try await storage.queries.invitation(of: Self.email, now: 1_199) == second)
        #expect(try await storage.queries.invitation(of: Self.email, now: 1_200) == nil)
        #expect(try await facts(storage).invitation == second)
        let byNumber = try await facts(storage, .identity(number))
        #expect(byNumber.invitation == ofNumber && byNumber.address == nil)
        try await note([.endInvitation(second)], storage)
        #expect(try await facts(storage).invitation == nil)
        #expect(try await areOpen([link], storage) == [false])
        #expect(try await storage.queries.invitations(limit: 9, now: 1_000) == [ofNumber])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a first answer is its call's alone until it expires, and every replica knows it`(
        _ engine: DatabaseKind
    ) async throws {
        let under = try await StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        let call = newCall()
        func answer(_ text: String, until end: Int64) -> FirstAnswer {
            FirstAnswer(call: call, answer: Array(text.utf8), user: .new(), endsSessions: true, expiresAt: end)
        }
        let (first, second) = (answer("first", until: 1_120), answer("second", until: 1_300))
        try await note([.answer(first)], replicas[0])
        #expect(try await facts(replicas[1], call: call, at: 1_119).firstAnswer == first)
        #expect(try await facts(replicas[1], call: call, at: 1_120).firstAnswer == nil)
        #expect(try await facts(replicas[1], call: newCall()).firstAnswer == nil)
        #expect(try await facts(replicas[1]).firstAnswer == nil)
        // Its time is over: the same name is another call's.
        try await note([.answer(second)], replicas[1])
        #expect(try await facts(replicas[0], call: call, at: 1_200).firstAnswer == second)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `password, links, claims and answers go with the user, and nobody else's do`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let links = [link(user.id, .reset), link(.new(), .reset)]
        let calls = [newCall(), newCall()]
        let answers = zip(calls, [user.id, nil]).map {
            UserChange.answer(
                FirstAnswer(call: $0, answer: [1], user: $1, endsSessions: false, expiresAt: 9_000))
        }
        try await note(
            [.setPassword(StoredPassword(hash: "a", version: 7), of: user.id), .claim(Self.email, by: user.id)]
                + links.map { .addLink($0) } + answers, storage)
        #expect(try await facts(storage).claimant == Claimant(user: user, hasProof: true))
        try await storage.remove(user)
        let gone = try await facts(storage, .account(user.id), call: calls[0])
        #expect(gone.holder == nil && gone.password == nil && gone.firstAnswer == nil)
        #expect(try await facts(storage).claimant == nil)
        #expect(try await facts(storage, .user(user.id)).isRemoved)
        #expect(try await areOpen(links, storage) == [false, true])
        #expect(try await facts(storage, call: calls[1]).firstAnswer != nil)
    }
}
