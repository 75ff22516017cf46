/// Schedules the removal of a user and revokes their sessions; answered with `DeletionSchedule`.
package struct DeleteUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// Whether the user is removed at once; absent if the policy's grace period applies.
    package var now: Bool?

    package init(userID: String, now: Bool? = nil) { (self.userID, self.now) = (userID, now) }
}

/// When a user is removed.
package struct DeletionSchedule: Codable, Sendable, Equatable {
    /// Unix time in seconds.
    package var dueAt: Int64
    /// `true` if no active administrator is left; `nil` otherwise.
    package var leavesNoAdministrator: Bool?

    package init(dueAt: Int64, leavesNoAdministrator: Bool? = nil) {
        (self.dueAt, self.leavesNoAdministrator) = (dueAt, leavesNoAdministrator)
    }
}

/// Cancels a scheduled removal before it is due; answered with `Done`.
package struct RestoreUserRequest: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}

/// Requests the ids of removed users, in order; answered with `RemovedUsers`.
package struct RemovedUsersRequest: Codable, Sendable, Equatable {
    /// The last id of the page before; `nil` for the first page.
    package var cursor: String?

    package init(cursor: String?) { self.cursor = cursor }
}

/// A page of ids; it is the last one if it has fewer than `idsMax`.
package struct RemovedUsers: Codable, Sendable, Equatable {
    package static let idsMax = 10_000

    package var userIDs: [String]

    package init(userIDs: [String]) { self.userIDs = userIDs }
}

/// Revokes all sessions of a removed user and deletes all data about them except audit records; answered with `Done`.
package struct RemoveUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// An epoch above that of every grant that the user was given.
    package var epoch: Int64

    package init(userID: String, epoch: Int64) {
        self.userID = userID
        self.epoch = epoch
    }
}
