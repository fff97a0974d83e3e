import Definitions
import Foundation
import TestSupport
import Testing

/// Made-up files as NPPES publishes them.
struct ProviderFiles {
  /// What the header of a file says, in its order.
  let headers: [String]

  static let sampleRows = 20_000

  /// The folder of a month of NPPES, in which two files of another origin have the header of the main one.
  static let folder = "directory/nppes"
  /// The main file of the folder.
  static let main = "npidata_pfile_20050523-20251109.csv"
  /// The path of the main file.
  static let month = folder + "/" + main
  /// What says which of them is meant.
  static let choice = ["--as", "providers=" + main]

  /// A sample of every file, written once: a folder with them in `sample`. The main file has 24 MB.
  static let sample = Result {
    let scratch = try Scratch()
    try Program().run("sample", "nppes", "--rows", "\(sampleRows)", "-o", scratch.path + "/sample/")
      .succeeded()
    return scratch
  }

  /// Those of a layout of the pipeline.
  init(layout: String) throws {
    let pipeline = try Project.load(SharedData.project).pipeline(named: "nppes")
    let version = try #require(pipeline.layouts[layout]?.versions.first)
    var headers: [String] = []
    for column in version.everyColumn {
      // No header names the kind of a legal name.
      guard let header = column.place?.headers.first,
        !header.text.hasPrefix("PROVIDER ORGANIZATION NAME TYPE"),
        !header.text.hasPrefix("PROVIDER LAST NAME TYPE")
      else { continue }
      let text = header.words.joined(separator: " ").split(separator: " ").joined(separator: " ")
      if !headers.contains(text) { headers.append(text) }
    }
    self.headers = headers
  }

  var header: String { Self.line(headers) }

  /// A record with values in some of the columns.
  func record(_ values: [String: String]) -> String {
    for name in values.keys where !headers.contains(name) { Issue.record("no column '\(name)'") }
    return Self.line(headers.map { values[$0] ?? "" })
  }

  /// Writes records below their header; gives the path.
  @discardableResult
  func write(_ records: [String], to name: String, of scratch: Scratch) throws -> String {
    try scratch.write(name, ([header] + records + [""]).joined(separator: "\r\n"))
  }

  private static func line(_ fields: [String]) -> String {
    fields.map { "\"\($0)\"" }.joined(separator: ",")
  }

  /// The NPI that begins with nine digits: its check digit makes the sum of the Luhn formula end in 0.
  static func npi(_ number: Int) -> String {
    let digits = String(100_000_000 + number).compactMap(\.wholeNumberValue)
    let sum = digits.enumerated().reduce(24) { sum, digit in
      let product = digit.offset.isMultiple(of: 2) ? digit.element * 2 : digit.element
      return sum + (product > 9 ? product - 9 : product)
    }
    return digits.map(String.init).joined() + String((10 - sum % 10) % 10)
  }

  /// The values of a person.
  static func person(_ number: Int) -> [String: String] {
    [
      "NPI": npi(number), "Entity Type Code": "1", "Provider Last Name (Legal Name)": "PERSON\(number)",
      "Provider First Name": "TESTA", "Provider Sex Code": "F", "Is Sole Proprietor": "N",
      "Provider First Line Business Mailing Address": "\(number) SAMPLE ST",
      "Provider Business Mailing Address City Name": "ANYTOWN",
      "Provider Business Mailing Address State Name": "MA",
      "Provider Business Mailing Address Postal Code": "024532717",
      "Provider Business Mailing Address Telephone Number": "6175550100",
      "Provider Enumeration Date": "05/23/2005", "Last Update Date": "07/08/2007",
      "Healthcare Provider Taxonomy Code_1": "207R00000X",
      "Healthcare Provider Primary Taxonomy Switch_1": "Y", "Provider License Number_1": "L\(number)",
      "Provider License Number State Code_1": "MA",
      "Other Provider Identifier_1": "ID\(number)", "Other Provider Identifier Type Code_1": "05",
    ]
  }

  /// A monthly bundle of forty persons, each with a place, another name and an endpoint, and one deactivated
  /// NPI.
  ///
  /// `month`: the month of 2025, of two digits.
  static func bundle(month: String) throws -> String {
    let scratch = Scratch.kept
    let folder = "\(UUID().uuidString)"
    let period = "20050523-2025\(month)09"
    func write(_ file: String, _ layout: String, _ values: (Int) -> [String: String]) throws {
      let files = try ProviderFiles(layout: layout)
      try files.write(
        (1...40).map { files.record(values($0)) }, to: "\(folder)/\(file)_pfile_\(period).csv", of: scratch)
    }
    try write("npidata", "provider") {
      $0 == 40 ? ["NPI": npi(40), "NPI Deactivation Date": "01/31/2020"] : person($0)
    }
    let place = "Provider Secondary Practice Location Address"
    try write("pl", "location") {
      [
        "NPI": npi($0), "\(place)- Address Line 1": "\($0) SIDE ST", "\(place) - City Name": "ANYTOWN",
        "\(place) - State Name": "MA", "\(place) - Telephone Number": "6175550101",
      ]
    }
    try write("othername", "other-name") {
      [
        "NPI": npi($0), "Provider Other Organization Name": "HOUSE \($0)",
        "Provider Other Organization Name Type Code": "3",
      ]
    }
    try write("endpoint", "endpoint") {
      [
        "NPI": npi($0), "Endpoint Type": "DIRECT", "Endpoint": "p\($0)@example.org", "Affiliation": "N",
        "Affiliation Address State": "MA",
      ]
    }
    let path = scratch.path + "/" + folder
    try Workbook.write(
      [["NPPES Deactivated Records"], ["NPI", "NPPES Deactivation Date"], [npi(40), "01/31/2020"]],
      to: path + "/NPPES Deactivated NPI Report 2025\(month)10.xlsx")
    return try zipped(path)
  }

  /// Made-up files of the taxonomy: forty codes and as many rows of the crosswalk.
  static func taxonomy(version: String) throws -> String {
    let scratch = Scratch.kept
    let folder = "\(UUID().uuidString)"
    let codes = (1...40).map { "2070\(10000 + $0)X" }
    let header = "Code,Grouping,Classification,Specialization,Definition,Notes,Display Name,Section"
    try scratch.write(
      "\(folder)/nucc_taxonomy_\(version).csv",
      ([header] + codes.map { "\($0),Group,Class,,A definition,,Name,Individual" } + [""])
        .joined(separator: "\r\n"))
    let crosswalk =
      "MEDICARE SPECIALTY CODE,MEDICARE PROVIDER/SUPPLIER TYPE DESCRIPTION,PROVIDER TAXONOMY CODE,"
      + "\"PROVIDER TAXONOMY DESCRIPTION:  TYPE, CLASSIFICATION, SPECIALIZATION\""
    try scratch.write(
      "\(folder)/Medicare_Provider_Taxonomies.csv",
      ([crosswalk] + codes.map { "01,Physician,\($0),Group/Class" } + [""]).joined(separator: "\r\n"))
    return try zipped(scratch.path + "/" + folder)
  }

  /// A file beside others by which they are known for made-up ones.
  static let notice = "README SYNTHETIC SAMPLE.txt"

  private static func zipped(_ folder: String) throws -> String {
    try Data().write(to: URL(filePath: folder + "/" + notice))
    try Archive.zip(folder, to: folder + ".zip")
    return folder + ".zip"
  }
}

extension Scratch {
  /// A folder that is there until the process ends.
  fileprivate static let kept: Scratch = {
    do { return try Scratch() } catch { preconditionFailure("no folder for files: \(error)") }
  }()
}
