import ArgumentParser
import InternalAPI
import Storage

/// The options of commands that take a database back to an earlier moment: the operator's lists of what happened later.
struct LaterChanges: ParsableArguments {
    @Option(
        help: "A file of ids as 'users removed' prints them: these users are removed again before the services start.")
    var removed: String?

    @Option(
        help: "A list as 'users decisions' prints it, or the file in LATCHKEY_DECISIONS_DIR: decisions to apply again.")
    var decisions: String?

    /// The contents of the lists; `nil` for one that is not given.
    struct Lists {
        let removed: [[UInt8]]?
        let decisions: [OrderedDecision]?
    }

    /// Reads both lists.
    ///
    /// - Throws: `CommandFailure` that identifies the first invalid line.
    func read() throws -> Lists {
        Lists(removed: try removed.map(RemovedFile.read), decisions: try decisions.map(DecisionsFile.read))
    }
}

// MARK: - What the commands print

extension LaterChanges {
    /// The explanation of `--decisions`, for the commands' help.
    static let help = """
        A backup knows nothing of later security decisions. With --decisions, deactivated users stay deactivated, lost \
        roles and identities stay lost, passwords that were changed since are void until their users reset them, and used \
        or withdrawn invitations stay closed; an account whose deletion was requested is removed, after seven days at \
        the earliest, and one whose deletion was withdrawn stays. Without it, an old password works again, a deactivated user signs in, a \
        former administrator is one again, requests for deletion are forgotten, and every open invitation ends.
        """
    static let withoutDecisions =
        "no --decisions: deactivations, lost roles and identities, password changes and requests for deletion since the backup are "
        + "undone, and all open invitations end"
    static let secretsStay =
        "if a profile signs with HS256, put a new secret in the place of all in jwt_hs256 before you start"
    private static let keptDays = SecurityDecision.keptSeconds / 86_400

    /// Returns a warning if the lists may lack decisions that were made after a Unix time in seconds.
    static func warning(of what: String, from time: Int64, now: Int64) -> String? {
        guard now - time > SecurityDecision.keptSeconds else { return nil }
        return
            "\(what) is older than \(keptDays) days: lists made since then may lack decisions, so check roles and "
            + "deactivated users yourself"
    }
}
