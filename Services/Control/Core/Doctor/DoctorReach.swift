import AsyncHTTPClient
import FoundationEssentials
import GatewayCore
import InternalAPI
import NIOCore
import NIOPosix
import OTPCore
import OutgoingConnections
import ServiceCalls
import ServiceKit
import UserCore
import UserEvents

/// Checks the servers outside of the deployment that the process calls: the app's API, message providers and sign-in providers.
struct DoctorReach: Sendable {
    private static let limit: Duration = .seconds(5)

    let process: Caller
    let context: ProcessContext

    func findings() async -> [Finding] {
        do {
            switch process {
            case .gateway:
                let places = try Gateway.upstreamAddresses(context)
                return await connected("upstream", places)
            case .otp:
                let probes = try OTPService.probes(context)
                let mail = try OTPService.mailServer(context).map { [$0] } ?? []
                let answers = await requested(probes)
                return await connected("mail server", mail) + answers
            case .user:
                let hook = try UserHook.probe(context.settings)
                return await requested(try UserService.probes(context) + [hook].compactMap { $0 })
            case .token: return await requested([try UserHook.probe(context.settings)].compactMap { $0 })
            case .control: return []
            }
        } catch { return Finding.faults("providers", error) }
    }

    /// Connects to addresses of the form host and port, and sends nothing.
    private func connected(_ name: String, _ places: [(host: String, port: Int)]) async -> [Finding] {
        var findings: [Finding] = []
        for place in places {
            let server = "\(place.host):\(place.port)"
            do {
                let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connectTimeout(.seconds(3)).connect(host: place.host, port: place.port).get()
                try await channel.close()
                findings.append(.ok(name, server))
            } catch {
                let failure = ConnectionFailure(error, hasBegun: false) ?? .closed
                findings.append(.fault(name, "\(failure): \(failure.words(of: server))"))
            }
        }
        return findings
    }

    private func requested(_ probes: [ProviderProbe]) async -> [Finding] {
        let client = makeHTTPClient()
        var findings: [Finding] = []
        for probe in probes { findings += await requested(probe, client) }
        do { try await client.shutdown() } catch { findings.append(.warning("providers", "\(error)")) }
        return findings
    }

    private func requested(_ probe: ProviderProbe, _ client: HTTPClient) async -> [Finding] {
        do {
            let exchange = HTTPProviderExchange(client: client, authorities: probe.authorities)
            let answer = try await exchange.send(
                ProviderRequest(.get, url: probe.url, headers: probe.headers, body: []), within: Self.limit)
            let now = Date().timeIntervalSince1970
            return [Self.judged(probe, status: answer.status)] + Self.clock(answer.headers["date"], of: probe.name, now)
        } catch let failure as ConnectionFailure {
            return [.fault(probe.name, "\(failure): \(failure.words(of: probe.server))")]
        } catch { return Finding.faults(probe.name, error) }
    }

    static func judged(_ probe: ProviderProbe, status: Int) -> Finding {
        switch status {
        case 401, 403:
            probe.showsCredentials
                ? .fault(
                    probe.name,
                    "\(probe.server) refuses the credentials with \(status). Compare them with the provider's console")
                : .ok(probe.name, "\(probe.server) responds")
        case 500...: .warning(probe.name, "\(probe.server) responds with \(status). Try again later")
        case 200..<300:
            .ok(probe.name, "\(probe.server) responds\(probe.showsCredentials ? ", the credentials are valid" : "")")
        default:
            probe.mustSucceed
                ? .fault(probe.name, "\(probe.server) responds with \(status). Compare the URL \(probe.place)")
                : .ok(probe.name, "\(probe.server) responds")
        }
    }

    /// Judges the `Date` of a response, which has whole seconds.
    static func clock(_ text: String?, of name: String, _ now: Double) -> [Finding] {
        guard let text, let date = WordedDate.seconds(text) else { return [] }
        let finding = DoctorClock.judged("clock of \(name)", offset: Double(date) + 0.5 - now, resolution: 2)
        return [finding]
    }
}
