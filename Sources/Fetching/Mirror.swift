/// Where a publisher's addresses are asked for: at the publisher's, or at a copy of its site.
///
/// Links are resolved as the publisher means them, and turned to the copy only when they are asked for, so
/// that a copy may keep the publisher's absolute links and may lie in a folder.
public struct Mirror: Sendable {
  private let publisher: WebAddress
  private let copy: WebAddress?

  /// The publisher's site, and the copy of it, if there is one.
  /// - Parameters:
  ///   - publisher: any address of the publisher's site.
  ///   - copy: what replaces the publisher's scheme and host: `http://mirror.example/cms`.
  public init(of publisher: WebAddress, at copy: WebAddress? = nil) {
    self.publisher = publisher
    self.copy = copy
  }

  /// Where an address of the publisher is asked for; other sites' are asked for where they are.
  func request(_ address: WebAddress) -> WebAddress {
    guard let copy, address.authority == publisher.authority else { return address }
    return WebAddress(prefix(copy) + address.target) ?? address
  }

  /// What an answer's address is called at the publisher, so that its links can be resolved.
  func original(_ address: WebAddress) -> WebAddress {
    guard let copy, address.text.hasPrefix(prefix(copy) + "/") else { return address }
    let target = address.text.dropFirst(prefix(copy).count)
    return WebAddress("\(publisher.scheme)://\(publisher.authority)\(target)") ?? address
  }

  private func prefix(_ copy: WebAddress) -> String {
    var text = copy.text.prefix { $0 != "?" }
    while text.hasSuffix("/") { text = text.dropLast() }
    return String(text)
  }
}
