/// A request to one of our own endpoints, with its whole body.
package struct EndpointRequest: Sendable {
    package let head: RequestHead
    package let body: [UInt8]
    /// A random id that the edge makes. It follows the request through all processes.
    package let requestID: String
    package let clientAddress: String
}
