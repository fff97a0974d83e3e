package import Definitions

/// An entry of a publisher's that has refused records, as exports and replays know it.
package struct ExportedEntry: Sendable {
  /// The number of the publisher's entry.
  package let sourceFileID: Int
  package let source: String
  /// The last component of the entry's name.
  package let entry: String
  /// The layout and its version, as `pprrvu 2025`.
  package let layout: String
  /// What it was read as; nil where only its name tells.
  package let readAs: Source.Format?
  /// What is between the fields of a csv.
  package let delimiter: UInt8
  /// Whether the run itself has refused records of it, not only one before it.
  package let isOfRun: Bool
  /// What the entry's refused records are called where several entries have such.
  package var fileName = ""

  /// The ending of the file with the reasons, beside that of the records, where these have no room for them.
  package static let reasonsSuffix = ".reasons.csv"

  /// The element around each record of an XML document that is exported.
  package static let recordElement = "record"

  /// The element around what is kept of a record: its content, or, where its own tag says something, that tag
  /// from behind its name on and the content.
  package static func element(around record: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let (start, end) = (Array("<\(recordElement)".utf8), Array("</\(recordElement)>".utf8))
    guard let first = record.first, first <= 0x20 else {
      return start + [UInt8(ascii: ">")] + record + end
    }
    return start + record + (isClosed(record) ? [] : end)
  }

  /// Whether the tag that a record begins with closes itself.
  private static func isClosed(_ record: ArraySlice<UInt8>) -> Bool {
    var quote: UInt8?
    for place in record.indices {
      let byte = record[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return place > record.startIndex && record[place - 1] == UInt8(ascii: "/")
      }
    }
    return false
  }

  /// What the records are exported as: in the format of the entry, of a workbook as csv, of JSON one record a
  /// line.
  package var format: Source.Format {
    switch readAs ?? Source.Format(fileName: entry) {
    case .txt: .txt
    case .xml: .xml
    case .json, .ndjson: .ndjson
    case .csv, .xlsx, nil: .csv
    }
  }

  /// The entries with the names of the files that they are exported to, each another.
  package static func named(_ entries: [ExportedEntry]) -> [ExportedEntry] {
    var entries = entries
    let names = entries.map(\.ownName)
    for index in entries.indices {
      // Two sources may read one entry, and two folders have entries of one name.
      let isShared = names.filter { $0 == names[index] }.count > 1
      let (source, id) = (entries[index].source, entries[index].sourceFileID)
      let isSharedBySource = entries.filter { $0.ownName == names[index] && $0.source == source }.count > 1
      entries[index].fileName =
        isSharedBySource
        ? "\(source)-\(id)-\(names[index])" : isShared ? "\(source)-\(names[index])" : names[index]
    }
    return entries
  }

  /// The entry's name; of a workbook that of the csv that its records become, of a document that of their
  /// lines.
  private var ownName: String {
    // Of a document, too, lines are what is exported.
    Source.Format(fileName: entry) == format ? entry : entry + "." + format.rawValue
  }

  package init(
    sourceFileID: Int, source: String, entry: String, layout: String, readAs: Source.Format? = nil,
    delimiter: UInt8 = UInt8(ascii: ","), isOfRun: Bool
  ) {
    self.sourceFileID = sourceFileID
    self.source = source
    self.entry = entry
    self.layout = layout
    (self.readAs, self.delimiter) = (readAs, delimiter)
    self.isOfRun = isOfRun
  }
}
