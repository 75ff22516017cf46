import InternalAPI
import Testing

@testable import UserCore

/// A user, and another account of which they verified the number and not the address.
struct WaitingPair: Sendable {
    static let number = VerifiedIdentity.phone("+15557654321")
    static let email = VerifiedIdentity.email("ann@example.com")
    /// The time of the merge.
    static let end = OwnIdentityFixture.now + OwnIdentityFixture.delaySeconds

    let user, other: User
    let token: String
}

extension OwnIdentityFixture {
    func pair() async throws -> WaitingPair {
        let user = try await storage.user()
        let other = try await storage.user(WaitingPair.number.value)
        #expect(try await add(WaitingPair.email, to: other).result == .done)
        return WaitingPair(
            user: user, other: try await self.user(other.id),
            token: try await mergeToken(for: WaitingPair.number, user))
    }

    /// A merge that waits.
    func begun(keepsOtherPhone: Bool = false) async throws -> WaitingPair {
        let pair = try await pair()
        let answer = try await merge(pair.token, pair.user, keepsOtherPhone: keepsOtherPhone, waits: true)
        #expect(answer == AccountAnswer(.mergeWaits, movesAt: WaitingPair.end))
        return pair
    }

    func pendingMerge(of user: User) async throws -> PendingMerge? {
        try await own().list(SignedInUser(id: user.id, sessionID: "s-1")).answered.pendingMerge
    }

    /// Presents the link of a notice.
    func report(_ token: String) async throws -> AccountAnswer.Result {
        guard let form = try await reporter.form(NotMeFormRequest(token: token)).secret else { return .invalidLink }
        return try await reporter(NotMeReport(token: token, formSecret: form), requestID: nil).result
    }
}
