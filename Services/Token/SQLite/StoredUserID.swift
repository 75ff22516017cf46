import CryptoPrimitives
import Foundation
import GRDB

/// The form of user ids in the database: 16 bytes instead of the deployment's prefix and 32 digits.
struct StoredUserID: Sendable {
    private static let uuidByteCount = 16
    let prefix: String

    /// Returns the stored form of a public id; ids of another form are kept as their text.
    func value(_ userID: String) -> DatabaseValue {
        own(userID) ?? userID.databaseValue
    }

    /// Returns the stored form of an id of this deployment, or `nil` for any other text.
    func own(_ userID: String) -> DatabaseValue? {
        guard userID.hasPrefix(prefix), let bytes = Hex.decode(userID.dropFirst(prefix.count)),
            bytes.count == Self.uuidByteCount, prefix + Hex.encode(bytes) == userID
        else { return nil }
        return Data(bytes).databaseValue
    }

    /// Returns the public id of a stored form.
    func text(_ value: DatabaseValue) -> String {
        if let bytes = Data.fromDatabaseValue(value), case .blob = value.storage { return prefix + Hex.encode(bytes) }
        return String.fromDatabaseValue(value) ?? ""
    }
}
