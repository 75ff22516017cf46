/// A setting that stops the process at start: which one, and what is allowed.
package struct SettingsError: Error, CustomStringConvertible {
    package let setting: String
    package let problem: String

    package init(_ setting: String, _ problem: String) {
        self.setting = setting
        self.problem = problem
    }

    package var description: String { "\(setting): \(problem)" }
}
