import Definitions
import Host

/// A main file of NPPES with many records: those of the real file over and over, each with an NPI of its own.
struct ProviderFile {
  private static let name = "npidata_pfile_20050523-20251109.csv"
  /// The last day of the file.
  private static let day = "2025-11-09"
  /// `"1234567893"` and the comma.
  private static let npiField = 13

  let path: String
  let records: Int
  /// How many columns it has.
  var columns: Int { header.count { $0 == UInt8(ascii: ",") } + 1 }
  private let header: ArraySlice<UInt8>
  /// The records of the real file.
  private let lines: [ArraySlice<UInt8>]

  /// Throws ``BenchError/missing(_:)`` where the real file is not there.
  init(in workbench: Workbench, records: Int) throws {
    let real = workbench.data("directory/nppes/" + Self.name)
    guard Files.exists(real) else { throw BenchError.missing("'\(real)' is not there") }
    var lines = try Files.read(real).split(separator: UInt8(ascii: "\n"))
    header = lines.removeFirst()
    self.lines = lines
    self.records = records
    path = workbench.path(Self.name)
    try Self.write(path, header, (0..<records).lazy.map { ($0, lines[$0 % lines.count]) })
  }

  /// Writes the file of a week after it, which has other records for some of its NPIs, and gives its path.
  ///
  /// - `number`: 1 for the first week; each has other records than the one before it.
  /// - `changed`: how many records it has.
  func week(_ number: Int, records changed: Int, in workbench: Workbench) throws -> String {
    var day = Self.day
    for _ in 0..<(7 * (number - 1) + 1) { day = Period.day(after: day) }
    let first = day
    for _ in 0..<6 { day = Period.day(after: day) }
    let days = [first, day].map { $0.filter { $0 != "-" } }
    let path = workbench.path("npidata_pfile_\(days[0])-\(days[1]).csv")
    let numbers = stride(from: 0, to: records, by: records / changed).prefix(changed)
    try Self.write(path, header, numbers.map { ($0, lines[($0 + number) % lines.count]) })
    return path
  }

  /// Writes records, each with the NPI of a number.
  private static func write(
    _ path: String, _ header: ArraySlice<UInt8>, _ records: some Sequence<(Int, ArraySlice<UInt8>)>
  ) throws {
    let output = try OutputFile(path)
    try output.write(header + [UInt8(ascii: "\n")])
    for (number, line) in records {
      try output.write(npi(number) + line.dropFirst(npiField) + [UInt8(ascii: "\n")])
      if number.isMultiple(of: 1000) { try Interruption.shared.check() }
    }
    try output.close()
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
