import CCrypto

/// The SHA-256 digest of bytes that come in pieces.
///
/// ```swift
/// var hash = SHA256()
/// hash.update(piece.span)
/// let name = SHA256.hexadecimal(hash.finish())
/// ```
public struct SHA256: ~Copyable {
  /// The length of a digest in bytes.
  public static let byteCount = 32

  private let context: OpaquePointer

  /// A digest of nothing yet.
  public init() {
    context = Self.makeContext()
    Self.require(EVP_DigestInit_ex(context, EVP_sha256(), nil))
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds the next bytes.
  public mutating func update(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Adds the UTF-8 of a text.
  public mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// Adds the next bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    Self.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
  }

  /// The 32 bytes of the digest of everything added so far; more may be added afterwards.
  public func finish() -> [UInt8] {
    // A finished context takes no more bytes, so a copy is finished.
    let copy = Self.makeContext()
    defer { EVP_MD_CTX_free(copy) }
    Self.require(EVP_MD_CTX_copy_ex(copy, context))
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    Self.require(EVP_DigestFinal_ex(copy, &digest, nil))
    return digest
  }

  /// The digest of everything added so far as 64 lower-case hexadecimal digits.
  public func hexadecimal() -> String {
    Self.hexadecimal(finish())
  }

  /// The SHA-256 of some bytes as 64 lower-case hexadecimal digits.
  public static func hex(of bytes: Span<UInt8>) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexadecimal()
  }

  /// The SHA-256 of some bytes as 64 lower-case hexadecimal digits.
  public static func hex(of bytes: [UInt8]) -> String {
    hex(of: bytes.span)
  }

  /// The SHA-256 of a text's UTF-8 as 64 lower-case hexadecimal digits.
  public static func hex(of text: String) -> String {
    hex(of: Array(text.utf8))
  }

  private static func makeContext() -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    return context
  }

  /// Stops the program where OpenSSL cannot compute SHA-256: a wrong digest must not pass for a right one.
  private static func require(_ code: CInt) {
    precondition(code == 1, "OpenSSL cannot compute SHA-256")
  }

  /// Bytes as lower-case hexadecimal digits, two a byte.
  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digit = { (half: UInt8) in half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") - 10 + half }
    return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() {
        text[index * 2] = digit(byte >> 4)
        text[index * 2 + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }
}
