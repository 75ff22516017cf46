import InternalAPI
import RedisClient

extension RedisArgument {
    /// The operator of the current call as audit records contain them; empty if there is none.
    static var operatorOfCall: RedisArgument { .text(OperatorName.current?.auditText ?? "") }
}

extension OperatorName {
    /// Does something for the administrator of a request, or for the operator of the call if it has none.
    static func acting<Value>(
        _ administrator: String?, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let name = administrator.flatMap { OperatorName(administrator: $0) } ?? current
        return try await $current.withValue(name, operation: body)
    }
}
