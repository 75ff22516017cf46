import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Which requests with our cookies may have been made by another page.
@Suite struct CrossSiteRuleTests {
    private func refuses(
        _ method: HTTPMethod, _ origin: CrossSiteRule.Origin, site: String?, isNavigation: Bool = false
    ) -> Bool {
        CrossSiteRule.refuses(.init(method: method, origin: origin, site: site, isNavigation: { isNavigation }))
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func `an unsafe method needs an allowed origin, whatever else is stated`(_ method: HTTPMethod) {
        for site in [nil, "same-origin", "same-site", "none"] {
            #expect(!refuses(method, .allowed, site: site))
            for isNavigation in [false, true] {
                #expect(refuses(method, .none, site: site, isNavigation: isNavigation))
                #expect(refuses(method, .other, site: site, isNavigation: isNavigation))
            }
        }
        #expect(refuses(method, .allowed, site: "cross-site"))
        #expect(refuses(method, .allowed, site: "cross-site", isNavigation: true))
        #expect(refuses(method, .allowed, site: "unheard-of") && refuses(method, .allowed, site: ""))
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `another site may open a page, and read nothing`(_ method: HTTPMethod) {
        for site in ["cross-site", "same-site"] {
            #expect(!refuses(method, .none, site: site, isNavigation: true))
            #expect(refuses(method, .none, site: site))
            #expect(refuses(method, .other, site: site))
        }
        #expect(refuses(method, .allowed, site: "cross-site"))
        #expect(!refuses(method, .allowed, site: "same-site"))
    }

    @Test func `the API's own pages read, and so does a browser that states nothing`() {
        for site in [nil, "same-origin", "none"] { #expect(!refuses(.get, .none, site: site)) }
        // A browser from before `Sec-Fetch-Site` names the origin of a page that reads by CORS.
        #expect(refuses(.get, .other, site: nil))
        #expect(refuses(.options, .other, site: "cross-site", isNavigation: true))
    }

    @Test func `a WebSocket needs an allowed origin, since every page may open one`() {
        func refuses(_ origin: CrossSiteRule.Origin, _ site: String?) -> Bool {
            CrossSiteRule.refuses(
                .init(method: .get, origin: origin, site: site, isNavigation: { false }, opensWebSocket: true))
        }
        for site in [nil, "same-origin", "same-site", "none"] {
            #expect(!refuses(.allowed, site))
            #expect(refuses(.none, site) && refuses(.other, site))
        }
        #expect(refuses(.allowed, "cross-site"))
    }

    private func request(_ fields: String) throws -> CrossSiteRule.Request {
        .init(try HeadParsing.head("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"), origin: .none)
    }

    @Test func `the fields of a request are read once each`() throws {
        let navigation = try request(
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n")
        #expect(navigation.site == "cross-site" && navigation.isNavigation())
        // A frame, an image or a script is no page of its own.
        let frame = try request("Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n")
        #expect(frame.site == nil && !frame.isNavigation())
        #expect(try request("Sec-Fetch-Site: none\r\nSec-Fetch-Site: none\r\n").site == "")
    }
}
