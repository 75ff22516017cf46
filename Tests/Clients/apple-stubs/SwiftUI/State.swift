public import Observation

@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    private let value: Value

    public init(wrappedValue: Value) { value = wrappedValue }
    public init(initialValue: Value) { value = initialValue }

    public var projectedValue: Binding<Value> { Binding(value) }
}

extension State where Value: ExpressibleByNilLiteral { public init() { self.init(wrappedValue: nil) } }

@dynamicMemberLookup @propertyWrapper public struct Binding<Value> {
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    private let value: Value

    init(_ value: Value) { self.value = value }

    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(value[keyPath: path])
    }

    public var projectedValue: Binding<Value> { self }
}

@propertyWrapper public struct Environment<Value> {
    public var wrappedValue: Value { fatalError("a stand-in for the compiler") }

    public init(_ type: Value.Type) where Value: AnyObject & Observable {}
}

@MainActor @propertyWrapper public struct FocusState<Value: Hashable> {
    public struct Binding {}

    public var wrappedValue: Value {
        get { fatalError("a stand-in for the compiler") }
        nonmutating set {}
    }
    public init() where Value == Bool {}

    public var projectedValue: Binding { Binding() }
}

@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint> {
    public let wrappedValue: Value

    public init(wrappedValue: Value, relativeTo style: Font.TextStyle) { self.wrappedValue = wrappedValue }
}
