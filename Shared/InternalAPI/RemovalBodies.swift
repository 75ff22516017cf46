/// Schedules the removal of a user and ends his sessions; answered with `DeletionSchedule`.
package struct DeleteUserRequest: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}

/// When a user is removed.
package struct DeletionSchedule: Codable, Sendable, Equatable {
    /// Unix time in seconds.
    package var dueAt: Int64

    package init(dueAt: Int64) { self.dueAt = dueAt }
}

/// Takes a scheduled removal back before its hour; answered with `Done`.
package struct RestoreUserRequest: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}

/// Asks for ids of removed users, in their order; answered with `RemovedUsers`.
package struct RemovedUsersRequest: Codable, Sendable, Equatable {
    /// The last id of the page before; nil: the first page.
    package var cursor: String?

    package init(cursor: String?) { self.cursor = cursor }
}

/// A page of ids; the last one when it has fewer than `idsMax`.
package struct RemovedUsers: Codable, Sendable, Equatable {
    package static let idsMax = 10_000

    package var userIDs: [String]

    package init(userIDs: [String]) { self.userIDs = userIDs }
}

/// Ends what sessions a removed user has and forgets all that is kept of him but the audit; answered with `Done`.
package struct RemoveUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// Above the epoch of every grant that the user was ever given.
    package var epoch: Int64

    package init(userID: String, epoch: Int64) {
        self.userID = userID
        self.epoch = epoch
    }
}
