/// The kind of deployment in which a process runs (`LATCHKEY_ENV`). Fixed codes and the inbox exist only outside production.
package enum DeploymentEnvironment: String, Sendable, CaseIterable {
    case development, uat, production
}
