/// The texts that cells refer to by number: all in one buffer.
struct SharedStrings {
  /// So many bytes are kept in memory, four for each text among them: a sheet of a million rows may have a new
  /// text of 28 bytes in each.
  static let mostKept = 32 << 20

  /// All texts, one after the other.
  private(set) var bytes: [UInt8] = []
  /// Where each text ends; it begins where the one before ends.
  private var ends: [UInt32] = []

  var count: Int { ends.count }

  /// The place of a text in `bytes`; nil if there is no text of that number.
  func range(_ index: Int) -> Range<Int>? {
    guard index >= 0, index < ends.count else { return nil }
    return (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// Reads a workbook's texts, from a part that may have `limit` bytes.
  init(_ package: XLSXPackage, part: String?, limit: Int) throws(RecordsError) {
    let events = Events()
    guard let part else { return }
    do {
      guard try package.read(part, events, limit: limit) else { return }
    } catch {
      guard events.isTooMuch else { throw error }
      throw .tooMuch(
        path: package.entry.path, entry: package.entry.entry,
        found: "has more than \(Self.mostKept >> 20) MiB of texts that cells share, which are kept in memory")
    }
    (bytes, ends) = (events.bytes, events.ends)
  }

  /// Gathers the texts of the items, of which each may be in runs; phonetic runs are not text.
  private final class Events: XMLEvents {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
    private(set) var isTooMuch = false
    private var start = 0
    private var isInText = false
    private var isInPhonetic = false

    override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
      if XMLName.matches(name, "t") {
        isInText = !isInPhonetic
      } else if XMLName.matches(name, "si") {
        start = bytes.count
      } else if XMLName.matches(name, "rPh") {
        isInPhonetic = true
      }
    }

    override func end(_ name: UnsafePointer<UInt8>) {
      if XMLName.matches(name, "t") {
        isInText = false
      } else if XMLName.matches(name, "si") {
        XMLEscapes.decode(&bytes, from: start)
        ends.append(UInt32(bytes.count))
        weigh()
      } else if XMLName.matches(name, "rPh") {
        isInPhonetic = false
      }
    }

    override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard isInText else { return }
      self.bytes.append(contentsOf: bytes)
      weigh()
    }

    /// Reads on only while what is kept has room.
    private func weigh() {
      guard bytes.count + 4 * ends.count > SharedStrings.mostKept else { return }
      isTooMuch = true
      refusal = "its shared strings are too many"
      parser?.stop()
    }
  }
}
