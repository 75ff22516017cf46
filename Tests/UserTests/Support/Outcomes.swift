import InternalAPI
import Logging

@testable import UserCore

// The outcomes that tests expect; any other one ends the test.

extension OperationOutcome {
    var answered: Answer {
        get throws {
            guard case .answer(let answer) = self else { throw Unexpected(outcome: self) }
            return answer
        }
    }
}

extension OperationOutcome {
    /// - Parameter word: a word that the sentence contains; `nil` for any sentence.
    func isRefused(_ refusal: Refusal, naming word: String? = nil) -> Bool {
        guard case .refused(refusal, let title) = self else { return false }
        return word.map { title.contains($0) } ?? true
    }
}

extension ResolveAttestation {
    func callAsFunction(
        _ attestation: String, name: String? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> Outcome {
        try await self(ResolveRequest(attestation: attestation, name: name), requestID: "r-1", logger: logger)
    }
}

extension SignInAttempt.Outcome {
    /// The user who is admitted.
    var user: User {
        get throws {
            guard case .admitted(let user, _, _, _, _) = self else { throw Unexpected(outcome: self) }
            return user
        }
    }
}

extension ChangeUser.Outcome {
    /// The changes; `nil` if they were not made.
    var changed: ChangedUser? {
        if case .answer(let changed) = self { changed } else { nil }
    }

    var isDone: Bool { changed != nil }
}

extension MailVerdict {
    /// The asker of a mail that is admitted.
    var asker: OutboxPlace.Asker {
        get throws {
            guard case .admitted(let asker) = self else { throw Unexpected(outcome: self) }
            return asker
        }
    }
}

/// An outcome that the test does not expect.
struct Unexpected: Error {
    let outcome: any Sendable
}
