import InternalAPI
import RedisClient

extension RedisArgument {
    /// The operator of the current call as audit records contain them; empty if there is none.
    static var operatorOfCall: RedisArgument { .text(OperatorName.current?.auditText ?? "") }
}
