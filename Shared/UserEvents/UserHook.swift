package import AsyncHTTPClient
import CryptoPrimitives
package import InternalAPI
import OutgoingConnections
package import ServiceCalls
package import ServiceKit
package import ServiceLifecycle

/// The hook to which the events of users go, as a process has it: `USER_HOOK_URL` and the secret `user_hook_secret`.
package struct UserHook: Sendable {
    /// The variable that switches the hook on.
    package static let setting = "USER_HOOK_URL"

    private let queue: EventQueue
    private let state = HookState()
    private let drain: EventDrain

    /// Whether the process writes events: its hook is set.
    package static func isSet(_ settings: ProcessSettings) -> Bool { settings.variable(setting) != nil }

    /// Refuses settings by which no event gets to the hook.
    package static func check(_ settings: ProcessSettings) throws {
        guard isSet(settings) else { return }
        let hook = webhook(settings)
        try SettingsReport.requireAll([{ _ = try hook.url() }, { _ = try hook.signature() }])
    }

    /// Returns a request to the hook's server that posts no event; `nil` if the hook is not set.
    package static func probe(_ settings: ProcessSettings) throws -> ProviderProbe? {
        guard isSet(settings) else { return nil }
        return ProviderProbe(
            "user hook", url: try webhook(settings).url(), place: setting, authorities: try settings.ownAuthorities()
        ).atOrigin()
    }

    private static func webhook(_ settings: ProcessSettings) -> WebhookSettings {
        WebhookSettings(
            settings, url: setting, secret: "user_hook_secret", owner: "USER_HOOK_URL", content: "event")
    }

    /// Reads the settings, or returns `nil` if the hook is not set.
    ///
    /// - Parameters:
    ///   - client: An HTTP client that does not follow redirects.
    ///   - bodies: Builds the bodies of events when they are posted.
    package init?(
        _ context: ProcessContext, client: HTTPClient, queue: EventQueue, bodies: @escaping EventDrain.Bodies
    ) throws {
        guard Self.isSet(context.settings) else { return nil }
        let hook = Self.webhook(context.settings)
        let (url, signature) = (try hook.url(), try hook.signature())
        let authorities = try context.settings.ownAuthorities()
        let poster = EventPoster(
            url: url, signature: signature,
            exchange: HTTPProviderExchange(
                client: client, answerBytesMax: EventLimits.answerBytesMax, authorities: authorities),
            now: { UnixTime.seconds() })
        drain = EventDrain(
            queue: queue, poster: poster, state: state, holder: Hex.encode(SecureRandom.bytes(8)),
            now: { UnixTime.seconds() }, ageNow: { context.wallClock.secondsForRemovals() }, logger: context.logger,
            bodies: bodies)
        self.queue = queue
    }

    /// The service that posts the events.
    package var service: any Service { drain }

    /// The line of `/readyz` while the receiver wants no events. The process does its job nevertheless.
    package var readiness: ReadinessCheck {
        ReadinessCheck("user hook", isCaution: true) { [state] in
            state.isStopped
                ? "stopped, because the receiver has answered 410; restart, or run latchkeyctl outbox replay" : nil
        }
    }

    /// Queues events again as the operator requests, and lets a stopped hook go on.
    ///
    /// - Parameter hook: The process's hook; `nil` if none is set.
    package static func replay(
        _ request: ReplayEventsRequest, on hook: UserHook?
    ) async throws -> OperationOutcome<ReplayedEvents, InvalidRequestOnly> {
        guard let hook else { return .refused(.invalidRequest, title: "\(setting) is not set") }
        guard let after = Hex.decode(request.after ?? "") else { throw InvalidInput(member: "after") }
        let (count, next) = try await hook.queue.replay(after: after, since: request.since, now: UnixTime.seconds())
        hook.state.resume()
        return .answer(ReplayedEvents(count: count, next: next.map { Hex.encode($0) }))
    }
}
