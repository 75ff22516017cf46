/// The text that is printed once everything is ready: the addresses, and the whole flow as lines for a shell.
package enum Welcome {
    /// The policies that accept the lines, which use phone numbers of the United States and native paths.
    private static let shownPolicies = ["starter", "howru"]
    /// Returns the text; its first line is `ready` and the gateway's address.
    ///
    /// - Parameters:
    ///   - policy: The policy as `LATCHKEY_POLICY` states it.
    ///   - phonesAddress: This machine's IP address for phones in the same network; `nil` if phones cannot connect.
    ///   - tlsPort: The gateway's port for TLS; `nil` if it serves none.
    ///   - authority: The file of this machine's own authority, if it issued the gateway's certificate.
    ///   - fakes: The base URL of the fake providers, or `nil` without them.
    ///   - providers: The providers of the policy whose identity tokens sign in.
    ///   - hasConsole: Whether the console runs.
    package static func text(
        gatewayPort: UInt16, inboxPort: UInt16?, policy: String, phonesAddress: String? = nil,
        tlsPort: UInt16? = nil, authority: String? = nil, fakes: String? = nil, providers: [String] = [],
        hasConsole: Bool = false
    ) -> String {
        let gateway = "http://127.0.0.1:\(gatewayPort)"
        let ready =
            "ready \(gateway)\n" + (tlsPort.map { "tls https://127.0.0.1:\($0)\n" } ?? "")
            + (hasConsole ? "console \(gateway)/console\n" : "")
        guard let inboxPort else { return ready }
        let inbox = "http://127.0.0.1:\(inboxPort)"
        let tokens = fakes.map { fakes in
            providers.map { "\n\n" + tokenLines(gateway: gateway, fakes: fakes, provider: $0) }.joined()
        }
        let forPhones = phonesAddress.map { phones(address: $0, port: gatewayPort, tlsPort: tlsPort) } ?? ""
        return """
            \(ready)inbox \(inbox)
            \(forPhones + (authority.map(trust) ?? "") + (hasConsole ? administrators : ""))
            \(shownPolicies.contains(policy) ? flow(gateway, inbox) : paths(of: policy))\(tokens ?? "")

            Ctrl-C stops everything.

            """
    }

    private static func phones(address: String, port: UInt16, tlsPort: UInt16?) -> String {
        let scheme = tlsPort == nil ? "http" : "https"
        let port = tlsPort ?? port
        return """

            The app's base URL, where deploy/docs/start/phones.md says what apps need for \(scheme):
              iOS simulator     \(scheme)://127.0.0.1:\(port)
              Android emulator  \(scheme)://10.0.2.2:\(port)
              phone             \(scheme)://\(address):\(port)\(tlsPort == nil ? "   (also in the links of mails)" : "")

            """
    }

    private static func trust(_ authority: String) -> String {
        """

        The https address has a certificate by this machine's own authority. deploy/docs/start/phones.md says how phones and
        browsers come to trust it; curl --cacert does at once:
          \(authority)

        """
    }

    private static let administrators = """

        The first administrator of the console: sign in once with your phone number, in an app or by the lines below, then
          deploy/ctl users find NUMBER
          deploy/ctl users change ID --role admin

        """

    private static func flow(_ gateway: String, _ inbox: String) -> String {
        "Sign in from another terminal:\n\n\(curlLines(gateway: gateway, inbox: inbox))"
    }

    /// Returns the lines for a sign-in with a token that the fake of a provider signs. A policy may require the nonce.
    package static func tokenLines(gateway: String, fakes: String, provider: String) -> String {
        let path = provider == "apple" ? "/auth/apple" : "/auth/oidc/\(provider)"
        let nonce = "development-nonce"
        return #"""
            # Sign in with a token of \#(provider), whose part latchkey-fakes plays. A token serves once.
            curl -s \#(gateway)\#(path) -H 'Content-Type: application/json' -d "{\"nonce\":\"\#(nonce)\",\"identityToken\":\"$(
              curl -s '\#(fakes)/fakes/identity-token?provider=\#(provider)&subject=betty&nonce=\#(nonce)')\"}"; echo
            """#
    }

    /// Returns a hint for a policy that may have other paths and other countries.
    private static func paths(of policy: String) -> String {
        "The paths that it answers at: deploy/ctl policy check '\(policy)'"
    }

    /// Returns the lines of the whole flow, for curl and bash or zsh; the README shows the same lines. They have no comments,
    /// since a zsh prompt runs these as commands.
    package static func curlLines(gateway: String, inbox: String) -> String {
        #"""
        GATEWAY=\#(gateway) INBOX=\#(inbox) JSON='Content-Type: application/json'
        PHONE=+1555$((RANDOM % 9000 + 1000))$((RANDOM % 900 + 100))
        field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

        echo "Request a code, and read it in the inbox:"
        curl -s $GATEWAY/auth/otp/request -H "$JSON" -d "{\"phoneNumber\":\"$PHONE\",\"countryCode\":\"US\"}"; echo
        CODE=$(curl -s "$INBOX/api/messages?to=%2B${PHONE#+}" | field code)

        echo "Sign in:"
        SIGNIN=$(curl -s $GATEWAY/auth/otp/verify -H "$JSON" \
          -d "{\"phoneNumber\":\"$PHONE\",\"countryCode\":\"US\",\"code\":\"$CODE\",\"name\":\"Betty\"}"); echo "$SIGNIN"
        ACCESS=$(echo "$SIGNIN" | field accessToken) REFRESH=$(echo "$SIGNIN" | field refreshToken)

        echo "Call the gateway, and your API through it:"
        curl -s $GATEWAY/users/me -H "Authorization: Bearer $ACCESS"; echo
        curl -s $GATEWAY/api/hello -H "Authorization: Bearer $ACCESS"; echo

        echo "Refresh the tokens:"
        TOKENS=$(curl -s $GATEWAY/auth/refresh -H "$JSON" -d "{\"refreshToken\":\"$REFRESH\"}"); echo "$TOKENS"
        ACCESS=$(echo "$TOKENS" | field accessToken) REFRESH=$(echo "$TOKENS" | field refreshToken)

        echo "Sign out; the access token is refused from now on:"
        curl -s $GATEWAY/auth/logout -H "$JSON" -d "{\"refreshToken\":\"$REFRESH\"}"; echo
        curl -s -o /dev/null -w '%{http_code}\n' $GATEWAY/api/hello -H "Authorization: Bearer $ACCESS"
        """#
    }
}
