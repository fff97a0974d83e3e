import Host

extension String {
  /// For the host of a URI: every byte but letters, digits and `-._~` as `%XX`.
  var percentEncoded: String {
    var encoded = ""
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        encoded += hex.count == 1 ? "%0" + hex : "%" + hex
      }
    }
    return encoded
  }

  /// As one word of a shell's command line, in quotes only where it needs them.
  public var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789/._-".unicodeScalars.contains(scalar))
    }
    return isPlain && !isEmpty ? self : shellQuoted
  }

  /// As one word of a shell's command line.
  var shellQuoted: String { "'" + escaping(["'"], with: "'\\'") + "'" }

  /// As one element of a server setting that is a list, such as `unix_socket_directories`.
  var listElement: String { "\"" + escaping(["\""], with: "\"") + "\"" }

  /// Sixteen digits that identify the text (FNV-1a, 64 bits).
  var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The last lines that say something.
  func lastLines(_ count: Int) -> [String] {
    let lines = split(whereSeparator: \.isNewline).map { String($0).trimmedLine }
    return Array(lines.filter { !$0.isEmpty }.suffix(count))
  }
}
