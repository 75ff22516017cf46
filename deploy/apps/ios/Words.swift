import Foundation
import LatchkeyAuth

/// The texts that the user reads.
enum Words {
    /// The reason why the user has to sign in again; `nil` if they know it.
    static func ended(_ reason: SignOutReason?) -> String? {
        switch reason {
        case nil, .asked, .elsewhere, .newInstallation: nil
        case .expired: "You were not here for a long time. Please sign in again."
        case .inactive: "This account was deactivated."
        case .deleted: "The account was deleted."
        case .ended, .reused, .storageLost: "Please sign in again."
        }
    }

    static func of(_ error: any Error) -> String {
        switch error {
        case AuthError.codeRefused: "The code is wrong or too old."
        case AuthError.invalid(let field, _): "Please check: \(field)."
        case AuthError.rateLimited(_, let wait): "Please wait \(wait.formatted(.units(allowed: [.minutes, .seconds])))."
        case AuthError.storeUnavailable: "Please unlock the device and try again."
        case AuthError.notInvited: "This app is for invited people only."
        case AuthError.accountInactive: "This account was deactivated."
        case let error as AuthError where error.isWorthRetrying: "There is no connection. Please try again."
        default: "That did not work. Please try again later."
        }
    }
}

/// A country, for phone numbers without `+`.
struct Region: Identifiable, Hashable {
    /// The ISO 3166 code.
    let id: String
    var name: String { Locale.current.localizedString(forRegionCode: id) ?? id }

    static var current: Region { Region(id: Locale.current.region?.identifier ?? "US") }

    static var all: [Region] {
        Locale.Region.isoRegions.filter { $0.subRegions.isEmpty && $0.identifier.count == 2 }.map {
            Region(id: $0.identifier)
        }
        .sorted { $0.name < $1.name }
    }
}
