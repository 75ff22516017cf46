import AuthAPI
import Foundation
import InternalAPI
import Passwords
import StrictJSON

/// Reads the lines of an import's file.
struct ImportReader {
    /// Room for both objects of metadata at their largest, and for the other members.
    static let lineBytesMax = 8_192 + 2 * MetadataObject.bytesMax
    private static let members: Set<String> = [
        "id", "legacyID", "email", "emailVerified", "phone", "name", "role", "isActive", "createdAt", "passwordHash",
        "identities", "metadata",
    ]
    /// The depth of a line with the deepest metadata.
    private static let depthMax = 2 + MetadataObject.depthMax

    /// The number of unknown members that a problem lists.
    private static let namedMax = 3

    /// The parameters that hashes of Firebase need.
    let firebase: FirebaseParameters?

    struct Problem: Error { let text: String }

    private struct Names: Decodable {
        let all: Set<String>

        init(from decoder: any Decoder) throws {
            all = Set(try decoder.container(keyedBy: MemberName.self).allKeys.map(\.stringValue))
        }
    }

    func read(_ line: FileLines.Line) -> Result<ImportedUser, Problem> {
        guard let bytes = line.bytes else {
            return .failure(Problem(text: "is longer than \(Self.lineBytesMax) bytes"))
        }
        do {
            let limits = StrictJSON.Limits(bytesMax: Self.lineBytesMax, depthMax: Self.depthMax)
            let unknown = try StrictJSON.decode(Names.self, from: bytes, limits: limits).all.subtracting(Self.members)
            if !unknown.isEmpty {
                // Names are written with escapes, since they come from the file.
                let names = unknown.sorted().prefix(Self.namedMax).map(\.debugDescription).joined(separator: ", ")
                return .failure(Problem(text: "has unknown members: \(names)"))
            }
            return kept(try StrictJSON.decode(ImportedUser.self, from: bytes, limits: limits))
        } catch let error as DecodingError {
            return .failure(Problem(text: Self.text(error)))
        } catch {
            return .failure(Problem(text: "is no JSON object"))
        }
    }

    /// The user with Firebase's parameters in their hash. A hash that Firebase did not make is left to user-service, which
    /// imports its user without a password.
    private func kept(_ user: ImportedUser) -> Result<ImportedUser, Problem> {
        guard let hash = user.passwordHash, hash.hasPrefix("$firebase$") else { return .success(user) }
        guard let firebase else { return .failure(Problem(text: "has a hash of Firebase; --firebase is needed")) }
        var user = user
        user.passwordHash = firebase.kept(hash) ?? hash
        return .success(user)
    }

    private static func text(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.last.map { "\($0.stringValue) has the wrong type" } ?? "is no JSON object"
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        @unknown default: "does not fit"
        }
    }
}

/// The users of one call, as many as its body can contain.
struct ImportBatch {
    /// The maximal number of users in a call. user-service stores them all at once, and sign-ins wait in the meantime.
    static let usersMax = 25
    /// The maximal size of the users as they are sent; a body may have 64 KiB.
    private static let bytesMax = 48_000

    private(set) var users: [ImportedUser] = []
    /// The numbers of the lines that the users come from.
    private(set) var numbers: [Int] = []
    private var bytes = 0

    /// Adds the user of a line.
    ///
    /// - Returns: False if the user has to go in the next call.
    mutating func add(_ user: ImportedUser, line: Int) throws -> Bool {
        // The size is not the line's length: quotes that are escapes there, and parameters of Firebase, make it longer or
        // shorter.
        let size = try StrictJSON.encode(user).count
        guard users.isEmpty || users.count < Self.usersMax && bytes + size <= Self.bytesMax else {
            return false
        }
        users.append(user)
        numbers.append(line)
        bytes += size
        return true
    }
}

/// The counts of the results of all lines.
struct ImportTally {
    /// The number of lines that are printed one by one; further ones are only counted.
    private static let namedMax = 1_000

    private var added = 0
    private var known = 0
    private var withoutPassword = 0
    private(set) var refused = 0

    mutating func count(_ result: ImportResult, line: Int) {
        if let problem = result.problem { return refuse(line, problem) }
        if result.isAdded { added += 1 } else { known += 1 }
        guard let note = result.note else { return }
        withoutPassword += 1
        name(line, note)
    }

    mutating func refuse(_ line: Int, _ problem: String) {
        refused += 1
        name(line, problem)
    }

    private func name(_ line: Int, _ text: String) {
        guard refused + withoutPassword <= Self.namedMax else { return }
        FileHandle.standardError.write(Data("line \(line): \(text)\n".utf8))
    }

    var text: String {
        "added \(added), known before \(known), refused \(refused)"
            + (withoutPassword == 0 ? "" : "; added without a password: \(withoutPassword)")
    }
}
