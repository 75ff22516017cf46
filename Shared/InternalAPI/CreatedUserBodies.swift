/// Creates an administrator with an email address and a password.
package struct CreateAdminRequest: Codable, Sendable, Equatable {
    package var email: String
    package var password: String

    package init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

package struct CreatedUser: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}
