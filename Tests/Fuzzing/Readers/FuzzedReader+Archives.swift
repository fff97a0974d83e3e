import Records

/// Archives and what is compressed, by themselves and within each other.
extension FuzzedReader {
  static let archives = [
    archive("zip", ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{7}\u{8}"]),
    archive("gzip", []), archive("zstd", []), archive("tar", ["ustar", "PaxHeaders", "././@LongLink"]),
    archive("7z", []),
    FuzzedReader("nested", words: ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}"]) {
      input, folder in
      let name = input.choice(of: ["a.zip", "a.csv.gz", "a.tar", "a.csv", "a.xlsx", "a/"])
      var entries = [(name, input.rest), ("b.txt", [UInt8]("1,2\n".utf8)), ("__MACOSX/._b.txt", [0])]
      entries.swapAt(0, input.choice(of: [0, 1, 2]))
      try readAll(of: try folder.put("a.zip", StoredZip.make(entries)))
    },
  ]

  private static func archive(_ name: String, _ words: [String]) -> FuzzedReader {
    FuzzedReader(name, words: words) { input, folder in
      try readAll(of: try folder.put("a.\(name)", input.rest))
    }
  }

  /// Lists what is at a path and reads the beginning of every entry, once in turn and once by itself.
  private static func readAll(of path: String) throws {
    let sequence = EntrySequence()
    for entry in try Discovery.entries(of: path).prefix(50) {
      for sequence in [sequence, nil] {
        do {
          let format = RecordFormat.delimited(DelimitedFormat(recordLimit: 1000))
          var reader = try RecordReader(entry, format: format, bufferSize: 32 << 10, in: sequence)
          var count = 0
          while count < 1000, try reader.next() { count += 1 }
        } catch {
          _ = "\(error)"
        }
      }
    }
  }
}
