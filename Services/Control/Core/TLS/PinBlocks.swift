import TLSPairs

/// The settings that tell apps the pins, in each system's own format.
enum PinBlocks {
    /// Returns all blocks, with a heading for each.
    static func text(_ domains: [PinnedDomain]) -> String {
        """
        iOS 14 and later, Info.plist:

        \(iOS(domains))

        Android 7 and later, res/xml/network_security_config.xml:

        \(android(domains))

        OkHttp:

        \(okHTTP(domains))
        """
    }

    /// Returns Identity Pinning of App Transport Security (`NSPinnedDomains`).
    static func iOS(_ domains: [PinnedDomain]) -> String {
        let entries = domains.map { domain in
            let pins = domain.pins.map { pin in
                """
                        <dict>
                          <key>SPKI-SHA256-BASE64</key>
                          <string>\(pin)</string>
                        </dict>
                """
            }
            return """
                    <key>\(domain.host)</key>
                    <dict>
                      <key>NSIncludesSubdomains</key>
                      <\(domain.isWildcard)/>
                      <key>NSPinnedLeafIdentities</key>
                      <array>
                \(pins.joined(separator: "\n"))
                      </array>
                    </dict>
                """
        }
        return """
            <key>NSAppTransportSecurity</key>
            <dict>
              <key>NSPinnedDomains</key>
              <dict>
            \(entries.joined(separator: "\n"))
              </dict>
            </dict>
            """
    }

    /// Returns certificate pinning of Android's network security configuration.
    static func android(_ domains: [PinnedDomain]) -> String {
        let entries = domains.map { domain in
            let pins = domain.pins.map { "      <pin digest=\"SHA-256\">\($0)</pin>" }
            return """
                  <domain-config>
                    <domain includeSubdomains="\(domain.isWildcard)">\(domain.host)</domain>
                    <pin-set>
                \(pins.joined(separator: "\n"))
                    </pin-set>
                  </domain-config>
                """
        }
        return """
            <network-security-config>
            \(entries.joined(separator: "\n"))
            </network-security-config>
            """
    }

    /// Returns a `CertificatePinner`, in Kotlin.
    static func okHTTP(_ domains: [PinnedDomain]) -> String {
        let lines = domains.flatMap { domain in
            let pins = domain.pins.map { "\"sha256/\($0)\"" }.joined(separator: ", ")
            return domain.names.map { "    .add(\"\($0)\", \(pins))" }
        }
        return """
            CertificatePinner.Builder()
            \(lines.joined(separator: "\n"))
                .build()
            """
    }
}
