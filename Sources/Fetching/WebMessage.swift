import Host

/// Something that a web server is to know: a call of its address, or a JSON document that is posted there.
///
/// Addresses of this kind often hold a secret, so that nothing but scheme and host is ever shown of them.
public struct WebMessage: Sendable {
  /// Why it did not arrive: a sentence for the user.
  public struct Undelivered: Error, CustomStringConvertible, Sendable {
    /// The sentence, with scheme and host of the address.
    public let description: String
  }

  private let address: WebAddress
  private let document: String?
  /// The key that the server knows us by, sent as a bearer token; nil for none.
  public var key: String?
  /// How often it is tried again.
  public var retries = 0
  /// How many seconds each try may take.
  public var timeLimit = 10
  /// Whether it ends where the program is asked to end.
  public var isInterruptible = true

  /// A call of an address.
  public init(calling address: WebAddress) { (self.address, document) = (address, nil) }

  /// A JSON document that is posted.
  public init(posting document: String, to address: WebAddress) {
    (self.address, self.document) = (address, document)
  }

  /// Sends it.
  ///
  /// `agent`: how the program calls itself.
  /// - Throws: ``Undelivered``; `Interrupted` where the program is asked to end.
  public func send(agent: String) throws {
    var failures = 0
    while let reason = try attempt(agent) {
      failures += 1
      guard failures <= retries else {
        throw Undelivered(
          description: "\(address.scheme)://\(address.authority): \(reason)"
            + (failures > 1 ? "; stopped after \(failures) tries" : ""))
      }
      try Interruption.shared.sleep(seconds: 1)
    }
  }

  /// Sends it once; gives why that failed.
  private func attempt(_ agent: String) throws -> String? {
    var limits = FetchLimits()
    limits.timeout = timeLimit
    var transfer = Transfer(address: address, agent: agent, limits: limits)
    transfer.document = document
    transfer.timeLimit = timeLimit
    transfer.isInterruptible = isInterruptible
    if document != nil { transfer.fields += ["Content-Type: application/json", "Expect:"] }
    if let key { transfer.fields.append("Authorization: Bearer \(key)") }
    do {
      let status = try transfer.run(PageReceiver(limit: 1 << 16)).head.status
      return (200..<300).contains(status) ? nil : FetchError.said(status)
    } catch let failure as Transfer.Failure {
      switch failure {
      case .hostNotFound: return "there is no such host"
      case .passing(let reason), .lasting(let reason): return reason
      }
    }
  }
}
