import AuthAPI
import CryptoPrimitives
import InternalAPI
import Logging
import Policies
import SQLiteStore
import Storage
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

@Suite struct ResolveAttestationTests {
    private let fixture: UserFixture
    private let phone = "+15551234567"

    init() throws { fixture = try UserFixture() }

    private func granted(_ result: ResolveAttestation.Outcome) throws -> (answer: ResolveAnswer, grant: Grant) {
        (try result.answered, try fixture.grant(try result.answered))
    }

    private func resolve(
        _ attestation: String, by onSignIn: DeletionPolicy.SignIn = .restore
    ) async throws -> ResolveAttestation.Outcome {
        try await fixture.resolver(onSignIn)(attestation)
    }

    /// The logged reason for which a proof is refused; `nil` if it is not.
    private func reason(_ attestation: String) async throws -> String? {
        let log = TestLog()
        let outcome = try await fixture.resolver()(attestation, logger: log.logger)
        return outcome == .refused(.attestationRefused) ? log.lines.last : nil
    }

    @Test func `a first sign-in makes a user and a grant that names him`() async throws {
        let (answer, grant) = try granted(try await fixture.signIn(phone, name: "  Betty "))
        #expect(answer.isNewUser && !answer.restored)
        #expect(answer.user.id.hasPrefix("usr_") && answer.user.id.utf8.count == 36)
        #expect(answer.user.phoneNumber == phone && answer.user.name == "Betty" && answer.user.role == "user")
        #expect(grant.userID == answer.user.id && grant.isNewUser && grant.method == "sms")
        #expect(grant.claims == UserClaims(phone: phone, role: "user", version: 1))
        #expect(grant.expiresAt == fixture.clock.seconds + 60)
        #expect(try await fixture.auditEvents() == ["user.created"])
    }

    @Test func `the same attestation gives the same user, isNewUser and grant id`() async throws {
        let first = try granted(try await fixture.signIn(phone, id: "challenge-1"))
        fixture.clock.advance(seconds: 20)
        let second = try granted(try await fixture.signIn(phone, id: "challenge-1"))
        #expect(first.answer.user == second.answer.user)
        #expect(first.grant.id == second.grant.id)
        #expect(first.answer.isNewUser && second.answer.isNewUser)
        #expect(try await fixture.auditEvents() == ["user.created"])
    }

    @Test func `a second sign-in is the same user, not new, with another grant`() async throws {
        let first = try granted(try await fixture.signIn(phone))
        let second = try granted(try await fixture.signIn(phone, name: "Mallory"))
        #expect(first.answer.user == second.answer.user)
        #expect(!second.answer.isNewUser)
        #expect(first.grant.id != second.grant.id)
    }

    @Test func `two numbers are two users`() async throws {
        let first = try granted(try await fixture.signIn("+15551234567"))
        let second = try granted(try await fixture.signIn("+15551234568"))
        #expect(first.answer.user.id != second.answer.user.id)
        #expect(try await fixture.count("users") == 2)
    }

    @Test(.timeLimit(.minutes(5)))
    func `concurrent first sign-ins of a number in two processes make one user`() async throws {
        let replica = try fixture.openReplica()
        let answers = try await withThrowingTaskGroup(of: ResolveAnswer.self) { group in
            for number in 0..<40 {
                group.addTask { [fixture, phone] in
                    // Half of them bring one attestation, the others one each.
                    let id = number.isMultiple(of: 4) ? "same" : "challenge-\(number)"
                    let resolver = try fixture.resolver(over: number.isMultiple(of: 2) ? replica : nil)
                    return try await resolver(try fixture.attestation(.phone(phone), id: id)).answered
                }
            }
            return try await group.reduce(into: [ResolveAnswer]()) { $0.append($1) }
        }
        #expect(Set(answers.map(\.user.id)).count == 1)
        #expect(try await fixture.count("users") == 1)
        #expect(try await fixture.auditEvents() == ["user.created"])
        #expect(try await fixture.database.integrityProblems() == [])
    }

    @Test func `a concurrent repeat of one attestation gives one grant id and one isNewUser`() async throws {
        let attestation = try fixture.attestation(.phone(phone), id: "challenge-1")
        let answers = try await withThrowingTaskGroup(of: (ResolveAnswer, Grant).self) { group in
            for _ in 0..<20 { group.addTask { try granted(try await resolve(attestation)) } }
            return try await group.reduce(into: [(ResolveAnswer, Grant)]()) { $0.append($1) }
        }
        #expect(Set(answers.map(\.1.id)).count == 1)
        #expect(answers.map(\.0.isNewUser) == Array(repeating: true, count: 20))
        #expect(try await fixture.count("resolutions") == 1)
    }

    @Test func `an expired, forged, altered or foreign attestation is refused and leaves nothing`() async throws {
        let attestation = try fixture.attestation(.phone(phone), id: "c", lifetimeSeconds: 0)
        #expect(try await reason(attestation) == "attestation.refused reason=expired")
        let statement = Attestation(
            proofID: "c", method: "sms", identity: .phone(phone), purpose: .signIn,
            expiresAt: fixture.clock.seconds + 60, challengedAt: fixture.clock.seconds)
        let forged = "attestation.refused reason=forged"
        #expect(try await reason(try statement.sealed(with: UserFixture.ring())) == forged)
        var altered = Array(try fixture.attestation(.phone(phone), id: "c").utf8)
        altered[20] = altered[20] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(try await reason(String(decoding: altered, as: UTF8.self)) == forged)
        let grant = Grant(
            id: "c", userID: "usr_", epoch: 1, claims: UserClaims(phone: phone, role: "user", version: 1),
            method: "sms", isNewUser: true, expiresAt: fixture.clock.seconds + 60)
        let foreign = try grant.sealed(with: fixture.attestationKeys)
        #expect(try await reason(foreign) == forged)
        for text in ["", "k1", "k1..", "a.b.c.d", String(repeating: "a", count: 9000)] {
            #expect(try await reason(text) != nil, "\(text.prefix(10))")
        }
        #expect(try await fixture.count("users") == 0)
    }

    @Test func `each service's keys open its own kind of proof alone`() async throws {
        let (own, call) = (try OwnProof.keys(fixture.storageKeys), CallTag(bytes: [UInt8](repeating: 1, count: 16)))
        let token = VerifiedIdentityToken(
            proofID: "t", identity: .phone(phone), audience: "a", issuedAt: fixture.clock.seconds,
            usableUntil: fixture.clock.seconds + 60)
        let user = try #require(try await fixture.store.user(try await fixture.signedIn("+15551234568").id))
        let proofs = [
            OwnProof(token, call, now: fixture.clock.seconds),
            OwnProof(call, address: "ann@example.com", user: user, passwordVersion: 1, now: fixture.clock.seconds),
        ]
        let attestation = try fixture.attestation(.phone(phone))
        let opened = try Attestation.open(attestation, with: fixture.attestationKeys, now: fixture.clock.seconds)
        let (ours, theirs) = (OwnProof.kind + ".", Attestation.kind + ".")
        let crossed =
            try proofs.map { try $0.sealed(with: fixture.attestationKeys) }
            + proofs.map { try $0.sealed(with: fixture.attestationKeys).replacing(ours, with: theirs) }
            + proofs.map { try $0.sealed(with: own).replacing(ours, with: theirs) }
            + [
                try opened.sealed(with: own), try opened.sealed(with: own).replacing(theirs, with: ours),
                attestation.replacing(theirs, with: ours),
            ]
        for text in crossed { #expect(try await reason(text) == "attestation.refused reason=forged", "\(text)") }
        #expect(try await resolve(try proofs[0].sealed(with: own)).answered.isNewUser)
    }

    @Test func `a name that cannot stand is refused before anything is stored`() async throws {
        for name in ["a\nb", String(repeating: "a", count: 101)] {
            await #expect(throws: InvalidInput.name) { try await fixture.signIn(phone, name: name) }
        }
        #expect(try await fixture.count("users") == 0)
        let blank = try granted(try await fixture.signIn(phone, name: " \t "))
        #expect(blank.answer.user.name == nil)
    }

    @Test func `an inactive user gets no grant, and a repeat of an earlier attestation none either`() async throws {
        _ = try await fixture.signIn(phone, id: "before")
        try await fixture.execute("UPDATE users SET is_active = 0")
        #expect(try await fixture.signIn(phone) == .refused(.accountInactive))
        #expect(try await fixture.signIn(phone, id: "before") == .refused(.accountInactive))
        #expect(try await fixture.auditEvents().last == "user.sign_in_refused")
    }

    @Test func `an attestation makes no second account once the first is removed`() async throws {
        let user = try granted(try await fixture.signIn(phone, id: "once")).answer.user
        try await fixture.execute("DELETE FROM users")
        #expect(try await fixture.count("identities") == 0)
        #expect(try await fixture.signIn(phone, id: "once") == .refused(.attestationRefused))
        #expect(try await fixture.count("users") == 0)
        #expect(try granted(try await fixture.signIn(phone, id: "again")).answer.user.id != user.id)
    }

    @Test func `resolutions are removed once their attestation is long expired`() async throws {
        for number in 0..<5 { _ = try await fixture.signIn(phone, id: "c\(number)") }
        fixture.clock.advance(seconds: 60 + ResolutionRows.outlivesSeconds)
        for number in 5..<7 { _ = try await fixture.signIn(phone, id: "c\(number)") }
        let now = fixture.clock.seconds
        let sweeper = Sweeper(
            database: fixture.database, sweeps: [], holder: "a", now: { now }, logger: Logger(label: "test"))
        #expect(try await sweeper.pass(ExpiredRows.resolutions) == 5)
        #expect(try await fixture.count("resolutions") == 2)
    }

    @Test func `the grant id is made of the attestation's alone, and begins with its time`() {
        let id = GrantID.derived(fromProof: "0123456789abcdef")
        #expect(id == GrantID.derived(fromProof: "0123456789abcdef"))
        #expect(id.hasPrefix("01234567") && id.utf8.count == 40)
        #expect(id.dropFirst(8) != GrantID.derived(fromProof: "0123456789abcdee").dropFirst(8))
        #expect(GrantID.derived(fromProof: "a") != GrantID.derived(fromProof: "b"))
    }
}
