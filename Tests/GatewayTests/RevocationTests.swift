import InternalAPI
import RedisClient
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct RevocationTests {
    private func token(session: String = "s1", key: String = "k1", version: Int64 = 3) -> TokenIdentity {
        TokenIdentity(
            userID: "usr_1", sessionID: session, keyID: key, version: version, role: nil, acceptedUntil: 10_000)
    }

    private func revoked(_ subject: Revocation.Subject, _ reason: RevocationReason = .logout) -> Revocation {
        Revocation(subject: subject, reason: reason, until: 5000)
    }

    @Test func `a revoked session, key or version is refused, others are not`() {
        var list = RevocationList()
        list.apply(revoked(.session("s1"), .reuse))
        list.apply(revoked(.key("k9")))
        list.apply(revoked(.version(sid: "s2", 4)))
        #expect(list.refusal(of: token()) == .reuse)
        #expect(list.refusal(of: token(session: "s3")) == nil)
        #expect(list.refusal(of: token(session: "s3", key: "k9")) == .admin)
        #expect(list.refusal(of: token(session: "s2")) == .rights)
        #expect(list.refusal(of: token(session: "s2", version: 4)) == nil)
    }

    @Test func `a revocation is forgotten only when its tokens have expired`() {
        var list = RevocationList()
        list.apply(revoked(.session("s1")))
        list.removeExpired(now: 4999)
        #expect(list.refusal(of: token()) != nil)
        list.removeExpired(now: 5000)
        #expect(list.count == 0)
    }

    @Test func `memory answers while contact is young, and says so when it is not`() {
        let replica = RevocationReplica()
        #expect(replica.answer(for: token(), now: 1) == .unknown)
        replica.advance([], sentAt: 1_000_000_000)
        #expect(replica.answer(for: token(), now: 1_099_999_999) == .live)
        #expect(replica.answer(for: token(), now: 1_100_000_000) == .unknown)
        replica.loseContact()
        #expect(replica.answer(for: token(), now: 1_000_000_001) == .unknown)
    }

    @Test func `a revocation in memory stands without contact`() {
        let replica = RevocationReplica()
        replica.advance([revoked(.session("s1"))], sentAt: 1)
        replica.loseContact()
        #expect(replica.answer(for: token(), now: 9_999_999_999) == .revoked(.logout))
    }

    @Test func `an older read never makes contact look younger or older than it is`() {
        let replica = RevocationReplica()
        replica.advance([], sentAt: 2_000_000_000)
        replica.advance([], sentAt: 1_000_000_000)
        #expect(replica.answer(for: token(), now: 2_050_000_000) == .live)
    }

    @Test(
        arguments: [
            ("5-0", "7-0", "5-0", false), ("4-0", "5-0", "5-0", false), ("6-0", "6-0", "5-0", true),
            (nil, nil, "5-0", true), (nil, nil, "0-0", true), ("6-0", "6-0", "0-0", true), ("5-1", "5-1", "5-0", true),
            ("x", "5-0", "5-0", true), ("3-0", "4-0", "5-0", true),
        ] as [(String?, String?, String, Bool)])
    func `a gap is seen when the newest entry that we know is gone, or the stream ends before it`(
        oldest: String?, newest: String?, last: String, gap: Bool
    ) {
        #expect(RevocationStream.hasGap(oldest: oldest, newest: newest, after: last) == gap)
    }

    @Test func `a session is the same in whatever list, and different ones differ`() {
        let sids = ["", "s", "00112233445566778899aabb", "00112233445566778899AABB", "10112233445566778899aabb"]
        #expect(Set(sids.map { SessionKey($0) }).count == sids.count)
        #expect(SessionKey(sids[2]) == SessionKey(sids[2]))
    }

    @Test func `an end that moves away keeps its entry, and nothing is held twice`() {
        var table = ExpiringTable<Int64>()
        let keys = (0..<500).map { SessionKey("s\($0)") }
        for (index, key) in keys.enumerated() { table.set(key, 1, until: Int64(1_000 + index), merge: max) }
        table.set(keys[0], 2, until: 9_000, merge: max)
        table.set(keys[0], 1, until: 500, merge: max)
        table.removeExpired(now: 1_100)
        #expect(table.count == 400)
        #expect(table[keys[0]] == 2)
        #expect(table[keys[100]] == nil)
        #expect(table[keys[101]] == 1)
        table.removeExpired(now: 8_999)
        #expect(table.count == 1)
        table.removeExpired(now: 9_000)
        #expect(table.count == 0)
    }

    @Test func `a hundred thousand entries loaded at once are all there`() {
        let replica = RevocationReplica()
        let sids = (0..<100_000).map { "sid-\($0)" }
        replica.reload(sids.map { revoked(.session($0)) }, sentAt: 1_000_000_000, now: 0)
        #expect(replica.count == sids.count)
        #expect(replica.answer(for: token(session: "sid-99999"), now: 1_000_000_001) == .revoked(.logout))
        #expect(replica.answer(for: token(session: "sid-100000"), now: 1_000_000_001) == .live)
        #expect(replica.ageSeconds(now: 3_000_000_000) == 2)
    }

    @Test func `the list counts as complete only under the mark of the very server`() {
        #expect(RevocationFeed.isComplete(mark: "3:3:abc", runID: "abc"))
        // `3:abc` is the form of lists without an index.
        for mark in [nil, "", "3", "3:3", "3:3:", "abc", "3:abc", "3:3:abcd", "3::abc", "3:03:abc", "2:3:abc"]
            as [String?]
        {
            #expect(!RevocationFeed.isComplete(mark: mark, runID: "abc"), "\(mark ?? "none")")
        }
        #expect(!RevocationFeed.isComplete(mark: "3:3:", runID: ""))
    }

    private func lookup(
        runID: String = "abc", mark: String = "3:1:abc", reason: String = "", key: Int64 = 0, version: String = ""
    ) -> RevocationReplica.Answer {
        let texts = [runID, mark, reason].map { RedisValue.string(Array($0.utf8)) }
        return RevocationLookup.judge(
            .array(texts + [.integer(key), .string(Array(version.utf8))]), token())
    }

    @Test func `what Redis says of a token is judged as the replica would`() {
        #expect(lookup() == .live)
        #expect(lookup(reason: "inactive") == .revoked(.inactive))
        #expect(lookup(reason: "unheard-of") == .revoked(.admin))
        #expect(lookup(key: 1) == .revoked(.admin))
        #expect(lookup(version: "4") == .revoked(.rights))
        #expect(lookup(version: "3") == .live)
        #expect(lookup(mark: "") == .unknown)
        #expect(lookup(mark: "3:1:other") == .unknown)
        #expect(lookup(mark: "", reason: "logout") == .revoked(.logout))
        #expect(RevocationLookup.judge(.null, token()) == .unknown)
    }

    @Test func `a stream entry that is not ours is passed over`() {
        #expect(Revocation(streamFields: ["kind": "sid", "id": "s", "until": "7", "reason": "logout"])?.until == 7)
        #expect(Revocation(streamFields: ["kind": "ver", "id": "s", "until": "7"]) == nil)
        #expect(Revocation(streamFields: ["kind": "sid", "id": "s", "until": "x"]) == nil)
        #expect(Revocation(streamFields: [:]) == nil)
        #expect(Revocation(key: "rev:ver:s", value: "9", until: 1)?.subject == .version(sid: "s", 9))
        #expect(Revocation(key: "rev:log", value: "9", until: 1) == nil)
    }
}
