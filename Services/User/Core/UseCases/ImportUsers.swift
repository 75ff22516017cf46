import AuthAPI
import EmailAddresses
import InternalAPI
import Passwords
import PhoneNumbers
import StrictJSON

/// Imports users of another system. Each becomes one user, however often they are imported.
struct ImportUsers: Sendable {
    /// The most characters of a legacy id.
    static let legacyIDLengthMax = 128
    private static let legacyIDBytesMax = 512

    let store: any UserStore
    /// The most memory in KiB that checking a password's hash may use.
    var hashMemoryKiBMax = ForeignHash.memoryKiBMax
    /// Derives ids for users that the file gives no id.
    let ids: ImportedIDs
    let userIDPrefix: String
    /// The region of phone numbers without a calling code.
    let defaultRegion: String?
    /// The names of the policy's identity providers.
    var providers: Set<String> = []
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// A user who may be added, and the reason why they are added without their password.
    struct Reading {
        let newcomer: ImportedNewcomer
        let note: String?
    }

    /// - Throws: `InvalidInput` for too many users at once; `StorageError`.
    func callAsFunction(_ request: ImportUsersRequest, requestID: String?) async throws -> ImportUsersAnswer {
        guard request.users.count <= ImportUsersRequest.usersMax else { throw InvalidInput.page("users") }
        let now = now()
        let read = request.users.map { user in
            Result { () throws(InvalidInput) in try reading(user, now: now) }
        }
        let newcomers = read.compactMap { if case .success(let reading) = $0 { reading.newcomer } else { nil } }
        let origin = RequestOrigin.byOperator(requestID)
        var verdicts = zip(newcomers, try await add(newcomers, origin, now)).makeIterator()
        return ImportUsersAnswer(
            results: read.map { result in
                switch result {
                case .failure(let problem): ImportResult(problem: problem.message)
                case .success(let reading):
                    verdicts.next().map { self.result($0, $1, note: reading.note) }
                        ?? ImportResult(problem: "is not stored")
                }
            })
    }

    /// Adds the new users that the facts admit, in as few transactions as possible. Two users that share an id or an identity are
    /// decided one after the other, so that the second one is recognised as the first.
    ///
    /// - Returns: the verdict on each user, in their order.
    private func add(
        _ newcomers: [ImportedNewcomer], _ origin: RequestOrigin, _ now: Int64
    ) async throws -> [ImportVerdict] {
        var verdicts: [Int: ImportVerdict] = [:]
        var waiting = Array(newcomers.enumerated())
        while !waiting.isEmpty {
            var seen: Set<UserQuestion.Subject> = []
            let apart = waiting.map { item in
                defer { seen.formUnion(item.element.subjects) }
                return seen.isDisjoint(with: item.element.subjects)
            }
            let together = zip(waiting, apart).filter(\.1).map(\.0)
            let questions = together.flatMap(\.element.subjects).map { UserQuestion($0, askedAt: now) }
            let decided = try await store.decideTogether(questions, now: now) { facts in
                Self.decide(together.map(\.element), facts, origin)
            }
            for (item, verdict) in zip(together, decided) { verdicts[item.offset] = verdict }
            waiting = zip(waiting, apart).filter { !$0.1 }.map(\.0)
        }
        return newcomers.indices.compactMap { verdicts[$0] }
    }

    private static func decide(
        _ newcomers: [ImportedNewcomer], _ facts: [UserQuestion.Subject: UserFacts], _ origin: RequestOrigin
    ) -> Verdict<[ImportVerdict]> {
        let verdicts = newcomers.map { ImportVerdict.judge($0, ImportFacts($0, facts)) }
        let added = zip(newcomers, verdicts).filter { $0.1 == .added }
        let readCount = verdicts.count - added.count
        return Verdict(
            verdicts,
            added.flatMap { $0.0.changes(on: facts, origin) }
                + (readCount > 0 ? [.audit(.lookUp("import: \(readCount)", origin))] : []))
    }

    private func result(_ newcomer: ImportedNewcomer, _ verdict: ImportVerdict, note: String?) -> ImportResult {
        switch verdict {
        case .added: ImportResult(userID: newcomer.user.id.text(prefix: userIDPrefix), isAdded: true, note: note)
        case .known(let id): ImportResult(userID: id.text(prefix: userIDPrefix))
        case .taken(let member): ImportResult(problem: "\(member) is another user's")
        case .removed: ImportResult(problem: "this user was removed, and stays so")
        }
    }

    /// Checks a user without regard to other users.
    func reading(_ user: ImportedUser, now: Int64) throws(InvalidInput) -> Reading {
        let email = try user.email.map { text throws(InvalidInput) in try address(text) }
        let phone = try user.phone.map { text throws(InvalidInput) in try number(text) }
        let accounts = try (user.identities ?? []).map { account throws(InvalidInput) in try identity(account) }
        guard email != nil || phone != nil || !accounts.isEmpty else {
            throw InvalidInput("Give at least one of email, phone and identities")
        }
        guard accounts.count <= ImportedUser.identitiesMax else {
            throw InvalidInput("identities has more than \(ImportedUser.identitiesMax) accounts")
        }
        if email != nil, user.emailVerified == nil {
            throw InvalidInput("emailVerified is missing", member: "emailVerified")
        }
        let verified = email.flatMap { user.emailVerified == true ? $0 : nil }
        let identities = [verified, phone].compactMap { $0 } + accounts
        let (password, note) = try password(user)
        let known = try self.user(user, identities.first ?? email, phone: phone, email: verified, now: now)
        // The account passes to the first person who verifies the email address, so it must not give them rights.
        guard !identities.isEmpty || known.role == User.defaultRole else {
            throw InvalidInput("role needs a verified email, a phone or an identity", member: "role")
        }
        let newcomer = ImportedNewcomer(
            user: known, keepsID: user.id != nil,
            identities: identities, claim: verified == nil ? email : nil,
            // An unverified email address may belong to another person than the one who set the password.
            password: verified == nil ? nil : password)
        return Reading(newcomer: newcomer, note: verified == nil ? nil : note)
    }

    /// - Parameter key: the identity that distinguishes the user from others if the file gives them no id at all.
    private func user(
        _ user: ImportedUser, _ key: VerifiedIdentity?, phone: VerifiedIdentity?, email: VerifiedIdentity?, now: Int64
    ) throws(InvalidInput) -> User {
        let name: DisplayName?
        do { name = try DisplayName.optional(user.name) } catch {
            throw InvalidInput(
                "invalid name: at most \(DisplayName.charactersMax) characters, no control or direction characters",
                member: "name")
        }
        let role = user.role ?? User.defaultRole
        guard RightsChange.isRole(role) else {
            throw InvalidInput("role is not \(RightsChange.roles)", member: "role")
        }
        let createdAt = user.createdAt ?? now
        guard (0...now).contains(createdAt) else { throw InvalidInput("createdAt is not a Unix time from 0 to now") }
        let legacyID = try legacyID(user.legacyID)
        let id = try id(user.id) ?? ids.id(legacyID: legacyID, key, createdAt: user.createdAt ?? 0)
        return User(
            id: id, pseudonym: .new(), phone: phone?.value, email: email?.value, name: name?.text,
            attributes: UserAttributes(), role: role, isActive: user.isActive ?? true, epoch: 1, version: 1,
            createdAt: createdAt, updatedAt: now, legacyID: legacyID, metadata: try metadata(user.metadata))
    }

    /// Reads a UUID in upper or lower case, or an id of this deployment.
    private func id(_ text: String?) throws(InvalidInput) -> UserID? {
        guard let text else { return nil }
        let digits = text.lowercased().filter { $0 != "-" }
        let isUUID = text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
        guard
            let id = isUUID
                ? UserID(text: digits, prefix: "") : UserID(text: text, prefix: userIDPrefix)
        else { throw InvalidInput("id is not a UUID") }
        // The nil UUID (RFC 9562 §5.9) represents a removed user in rows that outlive the user.
        guard id.bytes.contains(where: { $0 != 0 }) else { throw InvalidInput("id must not be all zeros") }
        return id
    }

    private func metadata(_ imported: ImportedMetadata?) throws(InvalidInput) -> UserMetadata {
        UserMetadata(app: try metadata(imported?.app, .app), own: try metadata(imported?.own, .own))
    }

    /// Reads an object as a patch of none, which has the same rules.
    private func metadata(_ value: JSONValue?, _ part: MetadataChange.Part) throws(InvalidInput) -> MetadataObject {
        guard let value else { return .empty }
        do {
            let patch = try MetadataChange(String(decoding: value.canonical, as: UTF8.self), of: part)
            let metadata = try patch.applied(to: UserMetadata())
            return part == .app ? metadata.app : metadata.own
        } catch {
            throw InvalidInput(
                "metadata.\(part.rawValue) is no object, or longer than \(MetadataObject.bytesMax) bytes, or deeper than "
                    + "\(MetadataObject.depthMax) levels, or has a zero character")
        }
    }

    private func legacyID(_ text: String?) throws(InvalidInput) -> String? {
        guard let text else { return nil }
        guard !text.isEmpty, text.count <= Self.legacyIDLengthMax, text.utf8.count <= Self.legacyIDBytesMax else {
            throw InvalidInput("legacyID is empty or longer than \(Self.legacyIDLengthMax) characters")
        }
        // A database ends a text at a zero character, so two ids could be read as one.
        guard !text.utf8.contains(0) else { throw InvalidInput("legacyID has a zero character") }
        return text
    }

    private func address(_ text: String) throws(InvalidInput) -> VerifiedIdentity {
        do throws(EmailAddressProblem) {
            return VerifiedIdentity(kind: .email, value: try EmailAddress(parsing: text).text)
        } catch { throw InvalidInput("email is not a valid email address", member: "email") }
    }

    private func identity(_ account: ProviderAccount) throws(InvalidInput) -> VerifiedIdentity {
        guard providers.contains(account.provider) else {
            throw InvalidInput("identities: the policy has no provider of this name")
        }
        guard VerifiedIdentity.isSubject(account.subject) else {
            throw InvalidInput("identities: a subject has 1 to 256 visible ASCII characters")
        }
        return VerifiedIdentity(provider: account.provider, subject: account.subject)
    }

    private func number(_ text: String) throws(InvalidInput) -> VerifiedIdentity {
        do {
            return .phone(try PhoneNumber(parsing: text, region: defaultRegion).e164)
        } catch { throw InvalidInput("phone is not a valid phone number", member: "phone") }
    }

    /// Reads the user's password, or returns a note that states why there is none. An imported user can set a password by mail,
    /// so the line is not refused.
    ///
    /// - Throws: a problem that the operator can solve before they run the import again.
    private func password(_ user: ImportedUser) throws(InvalidInput) -> (StoredPassword?, note: String?) {
        guard let text = user.passwordHash else { return (nil, nil) }
        guard user.email != nil else { throw InvalidInput("passwordHash is allowed only with an email") }
        let hash: ForeignHash
        do throws(ForeignHash.Problem) {
            // A hash in user-service's own form has the same limit, which is lower than the cost that a policy can set.
            hash = try ForeignHash(reading: text)
        } catch {
            return (nil, Self.note(error))
        }
        guard hash.memoryKiB <= hashMemoryKiBMax else {
            throw InvalidInput(
                "passwordHash fills \(hash.memoryKiB) KiB, and user-service has \(hashMemoryKiBMax) for one")
        }
        return (StoredPassword(hash: text, version: StoredPassword.newVersion()), nil)
    }

    private static func note(_ problem: ForeignHash.Problem) -> String {
        switch problem {
        case .unknown: "added without a password: passwordHash has no known form"
        case .tooCostly: "added without a password: passwordHash costs more than a login may"
        }
    }
}
