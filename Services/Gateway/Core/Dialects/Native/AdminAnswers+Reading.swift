// The calls with which administrators read the audits, and facts of other services.

import EdgeHTTP
import InternalAPI
import NIOPosix
import Policies
import ServiceKit

// MARK: - The audit

extension AdminAnswers {
    /// `GET /admin/audit?from=&to=&user=&limit=&cursor=`
    static func audit(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminAuditPage {
        let form = try query(of: request)
        guard let from = try number("from", in: form) else { throw .invalid(member: "from") }
        guard let to = try number("to", in: form) else { throw .invalid(member: "to") }
        guard (form["user"]?.utf8.count ?? 0) <= AdministerUsers.idLengthMax else { throw .noSuchUser }
        let audit = WholeAuditRequest(
            userID: form["user"], from: from, to: to, limit: try limit(in: form), cursor: try cursor(in: form))
        return AdminAuditPage(try await users.audit(audit, call))
    }

    /// `GET /admin/users/{id}/story?from=&to=&limit=&cursor=`
    static func story(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminStory {
        let form = try query(of: request)
        let story = WholeAuditRequest(
            userID: try user(of: request), from: try number("from", in: form) ?? 0,
            to: try number("to", in: form) ?? WholeAuditRequest.toMax, limit: try limit(in: form),
            cursor: try cursor(in: form))
        return AdminStory(try await users.story(story, call))
    }
}

// MARK: - The deployment

extension AdminAnswers {
    private static let hoursUsual: Int64 = 24

    /// `GET /admin/today`
    static func today(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminToday {
        let (services, gateway) = try await users.today(call)
        return AdminToday(services, gateway: gateway, at: UnixTime.seconds())
    }

    /// `GET /admin/series?days=`
    static func series(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminSeries {
        let days = Int(clamping: try number("days", in: query(of: request)) ?? 1)
        return AdminSeries(try await users.series(days: days, call))
    }

    /// `GET /admin/policy`
    static func policy(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminPolicyReport {
        let running = try await users.policy(call)
        let appName = users.process.settings.appName
        // Reading the shipped one takes milliseconds, in which an event loop would serve no request.
        do {
            return try await NIOThreadPool.singleton.runIfActive {
                AdminPolicyReport(running, shipped: ShippedPolicy.named(running.name, appName: appName))
            }
        } catch { throw .unavailable }
    }

    /// `GET /admin/keys`
    static func keys(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminKeys { AdminKeys(try await users.keys(call)) }

    /// `GET /admin/spend?hours=`
    static func spend(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminSpend {
        let hours = try number("hours", in: query(of: request)) ?? hoursUsual
        return AdminSpend(try await users.spend(hours: hours, call))
    }

    /// `GET /admin/trace?to=&hours=`
    static func trace(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminTrace {
        let form = try query(of: request)
        guard let recipient = form["to"].map(searched), recipient.utf8.count <= AdministerUsers.idLengthMax else {
            throw .invalid(member: "to")
        }
        let hours = try number("hours", in: form) ?? TraceRequest.hoursMax
        return AdminTrace(try await users.trace(of: recipient, hours: hours, call))
    }
}
