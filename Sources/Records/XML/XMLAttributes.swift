/// The attributes of an element, valid while its start is reported.
struct XMLAttributes {
  /// Five pointers each: local name, prefix, namespace, start and end of the value.
  private let pointers: UnsafePointer<UnsafePointer<UInt8>?>?
  let count: Int
  /// Whether the element says what a namespace is called, as what is in another language does.
  let declaresNamespace: Bool

  init(_ pointers: UnsafePointer<UnsafePointer<UInt8>?>?, count: CInt, declaresNamespace: Bool) {
    self.pointers = pointers
    self.declaresNamespace = declaresNamespace
    self.count = pointers == nil ? 0 : Int(count)
  }

  /// The value of the attribute with a local name, in UTF-8; nil if it is not there.
  @inline(__always)
  func bytes(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    guard let pointers else { return nil }
    for index in 0..<count {
      guard let local = pointers[index &* 5], XMLName.matches(local, name) else { continue }
      guard let start = pointers[index &* 5 &+ 3], let end = pointers[index &* 5 &+ 4] else { return nil }
      return UnsafeBufferPointer(start: start, count: end - start)
    }
    return nil
  }

  /// The local name of an attribute, by its number, in UTF-8.
  @inline(__always)
  func name(_ index: Int) -> UnsafePointer<UInt8>? { pointers?[index &* 5] }

  /// Whether the name of an attribute, by its number, has a prefix.
  func hasPrefix(_ index: Int) -> Bool { pointers?[index &* 5 &+ 1] != nil }

  /// The value of an attribute, by its number, in UTF-8.
  @inline(__always)
  func value(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let pointers, let start = pointers[index &* 5 &+ 3], let end = pointers[index &* 5 &+ 4] else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: end - start)
  }

  /// The value of an attribute as text.
  func text(_ name: StaticString) -> String? {
    bytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of an attribute as a whole number.
  @inline(__always)
  func number(_ name: StaticString) -> Int? {
    bytes(name).flatMap { XMLName.number($0) }
  }
}

/// Names and numbers as XML's parser gives them.
enum XMLName {
  @inline(__always)
  static func matches(_ name: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
    let other = text.utf8Start
    var place = 0
    while name[place] == other[place] {
      // Both end with a zero.
      if name[place] == 0 { return true }
      place &+= 1
    }
    return false
  }

  /// A whole number of decimal digits alone; nil for anything else and above nine digits.
  @inline(__always)
  static func number(_ bytes: some Collection<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count <= 9 else { return nil }
    var number = 0
    for byte in bytes {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      number = number &* 10 &+ Int(byte &- 0x30)
    }
    return number
  }
}
