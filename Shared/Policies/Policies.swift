package enum DeploymentEnvironment: String, CaseIterable, Sendable { case development, uat, production }
package struct Policy: Sendable { package static func load(named: String, directory: String) throws -> Policy { Policy() } }
