import Storage

/// The step that adds the kind of the device that signed in, a `DeviceKind`, or NULL if its software does not show it.
enum DeviceKindStep {
    private static let name = "kinds of devices"

    static let file = Migration(name, "ALTER TABLE sessions ADD COLUMN device_kind TEXT")
    static let schema = Migration(name, "ALTER TABLE sessions ADD COLUMN device_kind text COLLATE \"C\"")
}
