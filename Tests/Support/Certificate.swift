import Foundation
import Host

/// A certificate for 127.0.0.1 that vouches for itself, with its key; its files go with it.
public final class Certificate: Sendable {
  private let scratch: Scratch
  /// The certificate's file.
  public let path: String
  /// The key's file, which anybody may read.
  public let key: String
  /// The same, which only its owner may read.
  public let secretKey: String

  /// Makes one.
  public init() throws {
    let scratch = try Scratch()
    self.scratch = scratch
    path = scratch.path + "/certificate.pem"
    secretKey = scratch.path + "/secret.pem"
    let outcome = try Subprocess([
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=loopback",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", secretKey, "-out", path,
    ]).run()
    guard outcome.status == 0 else { throw FileError(path: path, code: EIO, action: "make") }
    key = try scratch.write("key.pem", Files.readText(secretKey))
  }
}
