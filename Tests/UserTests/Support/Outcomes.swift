import InternalAPI

@testable import UserCore

// The outcomes that tests expect; any other one ends the test.

extension ResolveAttestation.Outcome {
    var granted: ResolveAnswer {
        get throws {
            guard case .granted(let answer) = self else { throw Unexpected(outcome: self) }
            return answer
        }
    }
}

extension ResolveAttestation {
    func callAsFunction(_ attestation: String, name: String? = nil) async throws -> Outcome {
        try await self(ResolveRequest(attestation: attestation, name: name), requestID: "r-1")
    }
}

extension SignInAttempt.Outcome {
    /// The user who is admitted.
    var user: User {
        get throws {
            guard case .admitted(let user, _, _, _) = self else { throw Unexpected(outcome: self) }
            return user
        }
    }
}

extension ChangeUser.Outcome {
    /// The changes; `nil` if they were not made, or are not confirmed.
    var changed: ChangedUser? {
        if case .done(let changed) = self { changed } else { nil }
    }

    var isDone: Bool { changed != nil }
}

extension LookUpUsers.Outcome {
    var user: UserSummary {
        get throws {
            guard case .user(let summary) = self else { throw Unexpected(outcome: self) }
            return summary
        }
    }
}

extension ProfileOutcome {
    var profile: UserDetails {
        get throws {
            guard case .profile(let details) = self else { throw Unexpected(outcome: self) }
            return details
        }
    }
}

extension Invite.Outcome {
    var invited: InviteAnswer {
        get throws {
            guard case .invited(let answer) = self else { throw Unexpected(outcome: self) }
            return answer
        }
    }
}

extension CreateAdmin.Outcome {
    var created: CreatedUser {
        get throws {
            guard case .created(let user) = self else { throw Unexpected(outcome: self) }
            return user
        }
    }
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
