/// Where a process runs (`LATCHKEY_ENV`); fixed codes and the inbox exist outside production alone.
package enum DeploymentEnvironment: String, Sendable, CaseIterable {
    case development, uat, production
}
