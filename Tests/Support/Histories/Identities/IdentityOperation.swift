package import InternalAPI
import Synchronization

/// One thing that a client did with users and their identities, as that client saw it; times are since the history began.
package struct IdentityOperation: Sendable {
    /// The kind of request.
    package enum Kind: String, Sendable {
        case signIn, refresh
        /// Adds an identity to the user, in place of an earlier one of its kind.
        case add
        case remove
        /// Adds a passkey to the user, which is no identity: it makes no user and moves with no other.
        case addPasskey
        /// Ends also the sessions that the passkey opened.
        case removePasskey
        /// Presents a one-time password or a recovery code as the second factor.
        case useCode
        /// Moves the identities of the other user to the user. The other one is gone.
        case merge
        /// Begins a merge that waits. It happens at any time from `dueAt` on, unless one of both users objects.
        case mergeLater
        /// Schedules the account for deletion. A sign-in cancels that.
        case delete
        /// The operator begins to replace the user's phone number, which changes at any later time.
        case replaceNumber
        /// The user objects to that.
        case object
        /// The user objects to merges that wait.
        case objectToMerge
        /// The user was not there for months, so that their phone number may begin a new account.
        case leave
    }

    /// The outcome for the client.
    package enum Outcome: Sendable, Equatable {
        /// No answer; the operation may have happened, then or later, or not at all.
        case unknown
        case refused
        case accepted
        /// The user that a sign-in led to, and whether it created them.
        case reached(String, isNew: Bool)
    }

    package var kind: Kind
    /// The user who makes the request; `nil` for a sign-in.
    package var user: String?
    /// The user who is merged.
    package var other: String?
    package var identity: VerifiedIdentity?
    /// Names the passkey that is added or removed, or that signs in.
    package var passkey: String?
    /// Names the assertion or the code that is presented, which serves one call.
    package var credential: String?
    /// The session that makes the request, or that a sign-in has opened.
    package var session: String?
    /// Whether the sign-in begins a new account if the number's user was away, or the merge brings the other user's number.
    package var takesNumber = false
    /// Whether the operation ends all other sessions of the user, or of the other user in a merge.
    package var endsSessions = false
    /// Whether the operation belongs to the look at all identities and sessions at the end.
    package var isCensus = false
    /// The time before which a merge that waits does not happen; `nil` if its delay was ended for it.
    package var dueAt: Duration?
    package var invoked: Duration
    /// `nil` if no answer came.
    package var completed: Duration?
    package var outcome = Outcome.unknown

    package init(_ kind: Kind, invoked: Duration = .zero) {
        self.kind = kind
        self.invoked = invoked
    }

    /// The user that a sign-in led to.
    var reached: String? { if case .reached(let user, _) = outcome { user } else { nil } }
    /// Whether the client was told that it was done.
    package var isSuccess: Bool { outcome == .accepted || reached != nil }
    /// Whether it may have happened.
    var mayHaveHappened: Bool { outcome != .refused }
    /// The time in which it happened; without an answer it may be any later time.
    var span: Span { Span(begin: invoked, end: completed) }

    /// A time in which something happened once, or may have.
    struct Span: Sendable {
        let begin: Duration
        /// `nil` for any later time.
        let end: Duration?

        /// Whether all of it comes before all of another one.
        func isBefore(_ other: Span) -> Bool { end.map { $0 < other.begin } ?? false }
    }
}

extension IdentityOperation: CustomStringConvertible {
    /// The operation in one line, as a finding needs it to be understood.
    package var description: String {
        let milliseconds = [invoked, completed].map { $0.map { "\(Int($0 / .milliseconds(1)))" } ?? "?" }
        let names = [user, identity.map { "\($0.kind) \($0.value.suffix(4))" }, passkey, other].compactMap { $0 }
        let marks = (takesNumber ? " takes the number" : "") + (isCensus ? " census" : "")
        return
            "\(milliseconds.joined(separator: "–")) ms \(kind.rawValue) \(names.joined(separator: " ")): \(outcome)\(marks)"
    }
}

/// Notes from any thread what clients do with identities, in the order in which they begin it.
package final class IdentityRecorder: Sendable {
    private let start = ContinuousClock.now
    private let noted = Mutex<[IdentityOperation]>([])

    package init() {}

    package var operations: [IdentityOperation] { noted.withLock { $0 } }

    /// Does `act` and notes it from its beginning to its answer; an error is no answer.
    ///
    /// - Parameter act: may complete the operation, whose outcome it returns.
    @discardableResult
    package func record(
        _ operation: IdentityOperation, _ act: (inout IdentityOperation) async throws -> IdentityOperation.Outcome
    ) async -> IdentityOperation.Outcome {
        var operation = operation
        operation.invoked = ContinuousClock.now - start
        let index = noted.withLock { noted in
            noted.append(operation)
            return noted.count - 1
        }
        do {
            operation.outcome = try await act(&operation)
            if operation.outcome != .unknown { operation.completed = ContinuousClock.now - start }
        } catch { operation.outcome = .unknown }
        noted.withLock { $0[index] = operation }
        return operation.outcome
    }
}
