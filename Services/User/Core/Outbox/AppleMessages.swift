package import InternalAPI
import Policies

/// The content of the outbox row that exchanges an authorization code. It is written in the transaction of the sign-in.
struct CodeToExchange: Codable, Sendable, Equatable {
    let code: AuthorizationCode
    /// The `sub` of the sign-in's identity token. The exchange must return the same.
    let subject: String
}

/// The content of the outbox row that revokes a refresh token.
struct TokenToRevoke: Codable, Sendable, Equatable {
    let token: String
    /// The client to which Apple issued the token.
    let clientID: String
    /// The `sub` of the identity, which may belong to another account by the time of the delivery.
    let subject: String

    var identity: VerifiedIdentity { VerifiedIdentity(kind: .apple, value: subject) }
}

/// A refresh token of Apple's, as it is stored.
///
/// It is stored as the sealed message that revokes it (`TokenToRevoke`). The removal of a user therefore only moves it to the
/// outbox, without a key and in the removal's transaction.
package struct AppleToken: Sendable, Equatable {
    package let user: UserID
    /// The `sub` of the identity.
    package let subject: String
    /// The client to which Apple issued the token. A user has one token for each.
    package let clientID: String
    /// The sealed message.
    package let payload: String
    /// The Unix time in seconds of the sign-in whose code was exchanged, or 0 if it was a sign-in to an earlier account. The token of a
    /// later sign-in replaces it.
    package let signedInAt: Int64

    package init(user: UserID, subject: String, clientID: String, payload: String, signedInAt: Int64) {
        (self.user, self.subject, self.clientID) = (user, subject, clientID)
        (self.payload, self.signedInAt) = (payload, signedInAt)
    }

    package var identity: VerifiedIdentity { VerifiedIdentity(kind: .apple, value: subject) }
    /// The message that revokes the token.
    package var revocation: OutboxMessage { OutboxMessage(kind: .revokeToken, payload: payload, place: .revocation) }
}

extension OutboxSeal {
    /// Creates the message that exchanges a code.
    func exchanging(_ code: AuthorizationCode, of subject: String, for user: UserID) throws -> OutboxMessage {
        try message(.exchangeCode, encoding: CodeToExchange(code: code, subject: subject), about: user)
    }

    /// Seals a refresh token for storage.
    func token(_ token: TokenToRevoke, of user: UserID, signedInAt: Int64) throws -> AppleToken {
        let sealed = try message(.revokeToken, encoding: token, about: user)
        return AppleToken(
            user: user, subject: token.subject, clientID: token.clientID, payload: sealed.payload,
            signedInAt: signedInAt)
    }
}
