/// The texts that cells refer to by number: all in one buffer.
struct SharedStrings {
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
    guard let part, try package.read(part, events, limit: limit) else { return }
    (bytes, ends) = (events.bytes, events.ends)
  }

  /// Gathers the texts of the items, of which each may be in runs; phonetic runs are not text.
  private final class Events: XMLEvents {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
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
      } else if XMLName.matches(name, "rPh") {
        isInPhonetic = false
      }
    }

    override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
      if isInText { self.bytes.append(contentsOf: bytes) }
    }
  }
}
