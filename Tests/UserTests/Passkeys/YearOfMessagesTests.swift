import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// A year in which each user gets two new phones and installs the app again once: the messages that their sign-ins need.
@Suite(.timeLimit(.minutes(10))) struct YearOfMessagesTests {
    private static let userCount = 10_000
    /// One user in so many is simulated with the use cases; the others follow the model that these users confirm.
    private static let sampleStride = 100
    /// One new phone in so many has another maker's system, to which the user's passkeys do not sync. An assumption.
    private static let otherSystemOdds: UInt64 = 20
    private static let daySeconds: Int64 = 86_400

    /// A day on which a user has to sign in again.
    private struct SignInDay {
        let day: Int64
        let changesSystem: Bool
    }

    /// The days of a user's year, the same in each run. Those that follow each other are more than a passkey's delay apart.
    private static func year(of user: Int) -> [SignInDay] {
        var random = SeededGenerator(seed: UInt64(user))
        func newPhone(_ days: ClosedRange<Int64>) -> SignInDay {
            SignInDay(
                day: .random(in: days, using: &random),
                changesSystem: .random(in: 0..<otherSystemOdds, using: &random) == 0)
        }
        let first = newPhone(2...118)
        let again = SignInDay(day: .random(in: 122...238, using: &random), changesSystem: false)
        return [first, again, newPhone(242...360)]
    }

    /// The messages that the rules let expect: a code, and the notice of a passkey that waits, on each system without a passkey.
    private static func expected(_ year: [SignInDay]) -> Int {
        var (system, known): (Int, Set<Int>) = (0, [0])
        return year.reduce(0) { sum, signIn in
            if signIn.changesSystem { system = 1 - system }
            return known.insert(system).inserted ? sum + 2 : sum
        }
    }

    /// Has a user sign up and live through their year.
    ///
    /// - Parameter isWithPasskeys: whether the user adds a passkey on each system.
    /// - Returns: the number of messages after the sign-up: codes and notices.
    private func messages(of index: Int, isWithPasskeys: Bool, _ fixture: PasskeyFixture) async throws -> Int {
        var fixture = fixture
        fixture.time = PasskeyFixture.now
        let number = "+1555\(2_000_000 + index)"
        let user = try await fixture.user(number)
        var keys: [Int: SoftwareAuthenticator] = [:]
        if isWithPasskeys { keys[0] = try await fixture.passkey(of: user).1 }
        let atSignUp = try await fixture.identities.notices(to: user).count
        var (codes, system) = (0, 0)
        for signIn in Self.year(of: index) {
            fixture.time = PasskeyFixture.now + signIn.day * Self.daySeconds
            if signIn.changesSystem { system = 1 - system }
            if let key = keys[system] {
                #expect(try await fixture.signIn(key)?.userID == user.id.text(prefix: UserFixture.prefix))
                continue
            }
            codes += 1
            let code = try fixture.identities.code(.phone(number), at: fixture.time)
            #expect(try await fixture.grant(code)?.userID == user.id.text(prefix: UserFixture.prefix))
            if isWithPasskeys { keys[system] = try await fixture.passkey(of: user).1 }
        }
        return codes + (try await fixture.identities.notices(to: user).count) - atSignUp
    }

    @Test func `with passkeys a user needs at most 0.3 messages a year, and with codes alone three`() async throws {
        let fixture = try await PasskeyFixture(.sqlite)
        var changed = 0
        for index in stride(from: 0, to: Self.userCount, by: Self.sampleStride) {
            let expected = Self.expected(Self.year(of: index))
            #expect(try await messages(of: index, isWithPasskeys: true, fixture) == expected, "user \(index)")
            if expected > 0 { changed += 1 }
        }
        // The sample has users of both kinds.
        #expect(changed > 0 && changed < Self.userCount / Self.sampleStride)
        for index in Self.userCount..<Self.userCount + 5 {
            #expect(try await messages(of: index, isWithPasskeys: false, fixture) >= 3)
        }
        let total = (0..<Self.userCount).reduce(0) { $0 + Self.expected(Self.year(of: $1)) }
        #expect(Double(total) / Double(Self.userCount) <= 0.3, "\(total) messages")
    }
}
