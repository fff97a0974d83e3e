import Host

/// What is kept beside downloaded bytes: where they came from, and by what the server identifies them.
///
/// A text file of one `key value` a line.
package struct DownloadNote: Equatable {
  /// The address.
  var address: String
  var version: ContentVersion
  /// The digest; nil while not all bytes are there.
  var sha256: String?

  init(address: String, version: ContentVersion, sha256: String? = nil) {
    self.address = address
    self.version = version
    self.sha256 = sha256
  }

  /// Reads a note; nil where there is none, or one that says too little.
  package init?(at path: String) {
    guard let text = try? Files.readText(path) else { return nil }
    var values: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
    }
    guard let address = values["address"] else { return nil }
    self.address = address
    version = ContentVersion(
      tag: values["tag"], modified: values["modified"], bytes: values["bytes"].flatMap { Int($0) })
    sha256 = values["sha256"]
  }

  /// Writes the note; it is there whole or not at all.
  func write(to path: String) throws(FileError) {
    let lines = [
      ("address", address), ("tag", version.tag), ("modified", version.modified),
      ("bytes", version.bytes.map(String.init)), ("sha256", sha256),
    ]
    let file = try OutputFile(path, mode: OutputFile.ownersOnly)
    for (key, value) in lines { if let value { try file.write("\(key) \(value)\n") } }
    try file.close()
  }
}
