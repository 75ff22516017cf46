import AuthAPI
import CryptoPrimitives
import InternalAPI
import Testing

@testable import UserCore

/// The user that a line of an import identifies.
@Suite struct ImportRuleTests {
    private static let mine = UserID(milliseconds: 1_000, random: { [UInt8](repeating: 1, count: $0) })
    private static let other = UserID(milliseconds: 1_000, random: { [UInt8](repeating: 2, count: $0) })

    private static func verdict(
        legacyID: String? = nil, keepsID: Bool = false, claims: Bool = false, legacyHolder: UserID? = nil,
        hasID: Bool = false, isRemoved: Bool = false, holders: [UserID?] = [nil, nil], claimHolder: UserID? = nil
    ) -> ImportVerdict {
        let email = VerifiedIdentity(kind: .email, value: "ann@example.com")
        let user = User(
            id: mine, pseudonym: .new(), phone: "+14155550100", email: claims ? nil : email.value, name: nil,
            attributes: UserAttributes(), role: "user", isActive: true, epoch: 1, version: 1, createdAt: 1,
            updatedAt: 1, legacyID: legacyID)
        let identities = claims ? [VerifiedIdentity.phone("+14155550100")] : [email, .phone("+14155550100")]
        return ImportVerdict.judge(
            ImportedNewcomer(
                user: user, keepsID: keepsID, identities: identities, claim: claims ? email : nil, password: nil),
            ImportFacts(
                legacyHolder: legacyHolder, hasID: hasID, isRemoved: isRemoved, holders: holders,
                claimHolder: claimHolder))
    }

    @Test func `nobody's names make a user`() {
        #expect(Self.verdict() == .added && Self.verdict(legacyID: "1", keepsID: true) == .added)
        #expect(Self.verdict(claims: true, holders: [nil]) == .added)
    }

    @Test func `the old id says who it is, whatever his address is today`() {
        #expect(Self.verdict(legacyID: "1", legacyHolder: Self.other, holders: [nil, Self.mine]) == .known(Self.other))
        #expect(Self.verdict(legacyID: "1", keepsID: true, legacyHolder: Self.mine, hasID: true) == .known(Self.mine))
        #expect(Self.verdict(legacyID: "1", keepsID: true, legacyHolder: Self.other) == .taken("legacyID"))
    }

    @Test func `without one the id does, and an old id is none of a user who came without`() {
        #expect(Self.verdict(keepsID: true, hasID: true, holders: [Self.other, nil]) == .known(Self.mine))
        #expect(Self.verdict(legacyID: "1", keepsID: true, hasID: true) == .taken("id"))
        // The user's address has changed: the id is derived from the imported one.
        #expect(Self.verdict(hasID: true) == .known(Self.mine))
        #expect(Self.verdict(hasID: true, holders: [Self.mine, nil]) == .known(Self.mine))
        #expect(Self.verdict(hasID: true, holders: [Self.mine, Self.other]) == .taken("phone"))
    }

    @Test func `without both his address and number do, if they are one user's`() {
        #expect(Self.verdict(holders: [Self.other, Self.other]) == .known(Self.other))
        #expect(Self.verdict(holders: [Self.other, nil]) == .taken("email"))
        #expect(Self.verdict(holders: [nil, Self.other]) == .taken("phone"))
        #expect(Self.verdict(holders: [Self.other, Self.mine]) == .taken("email"))
        #expect(Self.verdict(claims: true, holders: [Self.other], claimHolder: Self.other) == .known(Self.other))
        #expect(Self.verdict(claims: true, holders: [nil], claimHolder: Self.other) == .taken("email"))
    }

    @Test func `an old id does not get hold of an account that is there`() {
        #expect(Self.verdict(legacyID: "1", holders: [Self.other, Self.other]) == .taken("email"))
        #expect(Self.verdict(keepsID: true, holders: [nil, Self.other]) == .taken("phone"))
    }

    @Test func `who was removed stays so`() {
        #expect(Self.verdict(legacyID: "1", isRemoved: true) == .removed)
        #expect(Self.verdict(isRemoved: true, holders: [Self.other, Self.other]) == .removed)
    }

    @Test func `the same user has the same id each time, and without the key nobody makes it`() throws {
        let secret = "7d1f0c9b3a58e642d1f0c9b3a58e64277d1f0c9b3a58e642d1f0c9b3a58e642"
        let ids = ImportedIDs(ring: try KeyRing(parsing: "k1 \(secret)7"))
        let others = ImportedIDs(ring: try KeyRing(parsing: "k1 \(secret)8"))
        let (email, phone) = (VerifiedIdentity(kind: .email, value: "1"), VerifiedIdentity.phone("1"))
        let made = [
            ids.id(legacyID: "1", email, createdAt: 7), ids.id(legacyID: "2", email, createdAt: 7),
            ids.id(legacyID: nil, email, createdAt: 7), ids.id(legacyID: nil, phone, createdAt: 7),
            ids.id(legacyID: "1", email, createdAt: 8), others.id(legacyID: "1", email, createdAt: 7),
        ]
        #expect(Set(made).count == made.count)
        #expect(ids.id(legacyID: "1", phone, createdAt: 7) == made[0])
        #expect(made.allSatisfy { $0.text(prefix: "").hasPrefix("0000000") && Array($0.text(prefix: ""))[12] == "7" })
        #expect(ids.id(legacyID: "1", email, createdAt: .max).text(prefix: "").hasPrefix("000000000000"))
    }
}
