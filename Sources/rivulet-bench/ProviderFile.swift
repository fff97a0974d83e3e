import Host
import Records

/// A main file of NPPES with a million records: those of the real file over and over, each with an NPI of its own.
struct ProviderFile {
  static let records = 1_000_000
  /// So many records the publisher's monthly file has.
  static let recordsOfAll = 9_400_000

  private static let name = "npidata_pfile_20050523-20251109.csv"
  /// `"1234567893"` and the comma.
  private static let npiField = 13

  let path: String
  /// Its size in bytes.
  let size: Int
  /// The number of columns.
  let width: Int

  /// Throws ``Skip`` where the real file is not there.
  init(in workbench: Workbench) throws {
    let real = Path.join(workbench.data, "directory/nppes/" + Self.name)
    guard Files.exists(real) else { throw Skip(reason: "'\(real)' is not there") }
    let bytes = try Files.read(real)
    var lines = bytes.split(separator: UInt8(ascii: "\n"))
    let header = lines.removeFirst()
    width = header.count { $0 == UInt8(ascii: ",") } + 1
    path = workbench.path(Self.name)
    let output = try ByteFile(path)
    var size = header.count + 1
    try output.write(header + [UInt8(ascii: "\n")])
    var block: [UInt8] = []
    for number in 0..<Self.records {
      block += Self.npi(number) + lines[number % lines.count].dropFirst(Self.npiField) + [UInt8(ascii: "\n")]
      guard block.count > 1 << 20 || number == Self.records - 1 else { continue }
      try workbench.checkInterruption()
      try output.write(block[...])
      size += block.count
      block.removeAll(keepingCapacity: true)
    }
    self.size = size
  }

  /// A field with the NPI of a record: no two are the same, and they come in no order, as the publisher's do.
  private static func npi(_ number: Int) -> [UInt8] {
    // A prime modulus, and a factor below it: every product is another one.
    var digits = Array(String(100_000_000 + number * 48_271 % 99_999_989).utf8)
    let sum = digits.enumerated().reduce(24) { sum, digit in
      let value = Int(digit.element) - 48
      let product = digit.offset.isMultiple(of: 2) ? 2 * value : value
      return sum + (product > 9 ? product - 9 : product)
    }
    digits.append(UInt8(48 + (10 - sum % 10) % 10))
    return [UInt8(ascii: "\"")] + digits + Array("\",".utf8)
  }
}
