package import WebAuthn

/// Requests the options of a ceremony without a session. Nothing is stored, and no name is read.
package struct BeginPasskeyRequest: Codable, Sendable, Equatable {
    package enum Ceremony: String, Codable, Sendable {
        case signIn = "sign_in"
        /// A registration before there is an account (`passkeys.signUp`).
        case signUp = "sign_up"
    }

    package var ceremony: Ceremony

    package init(_ ceremony: Ceremony) { self.ceremony = ceremony }
}

/// A passkey, or a key that Android moves to the user's next device and uses without the user's input.
package enum PasskeyKind: String, Codable, Sendable, CaseIterable {
    case passkey, restore
}

/// Requests the options for a registration by the bearer.
package struct BeginOwnPasskeyRequest: Codable, Sendable, Equatable {
    package var kind: PasskeyKind

    package init(kind: PasskeyKind) { self.kind = kind }
}

/// The outcome of a request for options.
package struct PasskeyOptionsAnswer: Codable, Sendable, Equatable {
    /// `nil` if the policy has no such ceremony, or the account may have no passkey.
    package var options: PasskeyOptions?

    package init(_ options: PasskeyOptions?) { self.options = options }
}

/// The variable members of a ceremony's options (L3 §5.4, §5.5); bytes are base64url.
package struct PasskeyOptions: Codable, Sendable, Equatable {
    /// `user` of the options for a registration.
    package struct Owner: Codable, Sendable, Equatable {
        /// The `user.id`: random, and never the id of the user.
        package var handle: String
        /// The phone number or email address of the account; empty before there is one.
        package var name: String

        package init(handle: String, name: String) { (self.handle, self.name) = (handle, name) }
    }

    package struct Descriptor: Codable, Sendable, Equatable {
        package var id: String
        package var transports: [String]

        package init(id: String, transports: [String]) { (self.id, self.transports) = (id, transports) }
    }

    /// The sealed challenge, which comes back with the credential.
    package var challengeID: String
    package var challenge: String
    /// Unix time in seconds.
    package var expiresAt: Int64
    package var relyingPartyID: String
    /// `required`, `preferred` or `discouraged`.
    package var userVerification: String
    /// Only for a registration.
    package var owner: Owner?
    /// `excludeCredentials` of a registration, else `allowCredentials`; always empty for a sign-in.
    package var credentials: [Descriptor]

    package init(
        challengeID: String, challenge: String, expiresAt: Int64, relyingPartyID: String, userVerification: String,
        owner: Owner? = nil, credentials: [Descriptor] = []
    ) {
        (self.challengeID, self.challenge, self.expiresAt) = (challengeID, challenge, expiresAt)
        (self.relyingPartyID, self.userVerification) = (relyingPartyID, userVerification)
        (self.owner, self.credentials) = (owner, credentials)
    }
}

/// An assertion for a challenge, as the client sent it.
package struct PresentedPasskey: Codable, Sendable, Equatable {
    package var challengeID: String
    package var credential: AssertionCredential

    package init(challengeID: String, credential: AssertionCredential) {
        (self.challengeID, self.credential) = (challengeID, credential)
    }
}

/// Presents a passkey to sign in; answered with `IdentityTokenAnswer`, whose `refused` is the same for every failure.
package struct PasskeyProofRequest: Codable, Sendable, Equatable {
    package var passkey: PresentedPasskey
    /// See `IdentityTokenRequest`.
    package var callID: String

    package init(passkey: PresentedPasskey, callID: String) { (self.passkey, self.callID) = (passkey, callID) }
}

/// Registers a passkey for the bearer; answered with `AccountAnswer`, which has the passkey if it is `done`.
package struct AddPasskeyRequest: Codable, Sendable, Equatable {
    package var challengeID: String
    package var credential: RegistrationCredential
    /// The name for the user's list, e.g. the device's; `nil` if the client gives none.
    package var name: String?
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(challengeID: String, credential: RegistrationCredential, name: String?, callID: String) {
        (self.challengeID, self.credential, self.name, self.callID) = (challengeID, credential, name, callID)
    }
}

/// The bearer's passkeys, oldest first.
package struct OwnPasskeys: Codable, Sendable, Equatable {
    package var passkeys: [OwnPasskey]

    package init(passkeys: [OwnPasskey]) { self.passkeys = passkeys }
}

/// A passkey as its user sees it; times are Unix seconds, bytes base64url.
package struct OwnPasskey: Codable, Sendable, Equatable {
    package var id: String
    package var name: String
    package var kind: PasskeyKind
    package var createdAt: Int64
    package var lastUsedAt: Int64?
    /// When it can be used; `nil` if it can be used already.
    package var activeFrom: Int64?
    package var backedUp: Bool
    package var transports: [String]
    /// The authenticator's model as a UUID, which nothing proves.
    package var aaguid: String
    package var credentialID: String
    package var userHandle: String

    package init(
        id: String, name: String, kind: PasskeyKind, createdAt: Int64, lastUsedAt: Int64?, activeFrom: Int64?,
        backedUp: Bool, transports: [String], aaguid: String, credentialID: String, userHandle: String
    ) {
        (self.id, self.name, self.kind) = (id, name, kind)
        (self.createdAt, self.lastUsedAt, self.activeFrom) = (createdAt, lastUsedAt, activeFrom)
        (self.backedUp, self.transports, self.aaguid) = (backedUp, transports, aaguid)
        (self.credentialID, self.userHandle) = (credentialID, userHandle)
    }
}

/// Renames one of the bearer's passkeys; answered with `AccountAnswer`.
package struct RenamePasskeyRequest: Codable, Sendable, Equatable {
    package var id: String
    package var name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

/// Removes one of the bearer's passkeys; answered with `AccountAnswer`.
package struct RemovePasskeyRequest: Codable, Sendable, Equatable {
    package var id: String
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(id: String, callID: String) { (self.id, self.callID) = (id, callID) }
}

/// Selects passkeys for the operator: those of a user, or those that were added in a span of time.
package struct PasskeySelection: Codable, Sendable, Equatable {
    /// `nil` for those of all users.
    package var userID: String?
    /// One of the user's; `nil` for all.
    package var id: String?
    /// Unix times in seconds, both included; needed without a user.
    package var addedFrom: Int64?
    package var addedUntil: Int64?
    /// The `next` of the page before; `nil` for the first page.
    package var cursor: String?

    package init(
        userID: String? = nil, id: String? = nil, addedFrom: Int64? = nil, addedUntil: Int64? = nil,
        cursor: String? = nil
    ) {
        (self.userID, self.id, self.cursor) = (userID, id, cursor)
        (self.addedFrom, self.addedUntil) = (addedFrom, addedUntil)
    }
}

/// A page of selected passkeys, or of those that were removed.
package struct PasskeyPage: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package var userID: String
        package var passkey: OwnPasskey

        package init(userID: String, passkey: OwnPasskey) { (self.userID, self.passkey) = (userID, passkey) }
    }

    package var passkeys: [Entry]
    /// The cursor of the next page; `nil` after the last one.
    package var next: String?

    package init(passkeys: [Entry], next: String?) { (self.passkeys, self.next) = (passkeys, next) }
}
