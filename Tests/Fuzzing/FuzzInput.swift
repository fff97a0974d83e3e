/// The bytes of one execution: choices first, then what is read.
struct FuzzInput {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// All that has not been taken.
  var rest: [UInt8] { Array(bytes) }

  /// The same as text, as files are read.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes a choice: `0` is the first, `1` the second.
  mutating func choice<Choice>(of choices: [Choice]) -> Choice {
    choices[Int((bytes.popFirst() ?? 0x30) &- 0x30) % choices.count]
  }

  /// Takes a line, without its end.
  mutating func line() -> String {
    let line = bytes.prefix { $0 != 0x0a }
    bytes = bytes.dropFirst(line.count + 1)
    return String(decoding: line, as: UTF8.self)
  }

  /// The rest as files: control-A, a name and a line end begin each; what comes before the first is none.
  var files: [(name: String, bytes: [UInt8])] {
    bytes.split(separator: 1, omittingEmptySubsequences: false).dropFirst().map { file in
      let name = file.prefix { $0 != 0x0a }
      return (String(decoding: name, as: UTF8.self), Array(file.dropFirst(name.count + 1)))
    }
  }
}
