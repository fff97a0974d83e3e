import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The proof that a rule can find something: a bundle in which it finds an exact number, made of one in which
/// it finds nothing.
struct Control: Sendable, CustomTestStringConvertible {
  let rule: String
  let base: Base
  /// What the rule finds in the broken bundle.
  let found: Int
  /// Whether the rule lets it pass all the same: it only warns, takes the rows out, or allows a few.
  let passes: Bool
  /// Said to the database before the run: of what no file can break.
  let sql: String?
  let edit: @Sendable (inout Files) throws -> Void

  init(
    _ rule: String, _ found: Int, in base: Base = .feeSchedule, passes: Bool = false, sql: String? = nil,
    _ edit: @escaping @Sendable (inout Files) throws -> Void = { _ in }
  ) {
    (self.rule, self.base, self.found, self.passes) = (rule, base, found, passes)
    (self.sql, self.edit) = (sql, edit)
  }

  var testDescription: String { "\(base.rawValue) \(rule)" }

  /// A bundle that no rule finds anything in, with a release before it that is published.
  enum Base: String, Sendable, CaseIterable {
    /// A release of one class of conversion factors.
    case feeSchedule
    /// A release of two, each in a file of its own, after one of one class.
    case classes
    /// A release of the years in which practice expense is there twice.
    case transition
    case codes
    case places
    case providers
    case taxonomy
    case directory
    case plans
    case lists
    case exclusions, optOuts, orderReferring, enrolments, revalidations, clinicians, stateExclusions
    case rvutrack
    case clara
    case oncall
    case doula
    case ccc
    case hospitalFacts

    var pipeline: String {
      switch self {
      case .feeSchedule, .classes, .transition: "cms-rvu"
      case .codes: "cms-hcpcs"
      case .places: "cms-zip5"
      case .providers: "nppes"
      case .taxonomy: "nucc"
      case .directory: "fhir-directory"
      case .plans: "qhp-providers"
      case .lists: "directory-csv"
      case .exclusions: "oig-leie"
      case .optOuts: "cms-opt-out"
      case .orderReferring: "cms-order-referring"
      case .enrolments: "cms-enrolment"
      case .revalidations: "cms-revalidation"
      case .clinicians: "cms-dac"
      case .stateExclusions: "state-exclusions"
      case .rvutrack, .clara, .oncall, .doula, .ccc: rawValue
      case .hospitalFacts: "hospital-facts"
      }
    }

    /// How many rows its sources have that expect a number.
    var rows: [String: Int] {
      switch self {
      case .feeSchedule, .transition: ["pprrvu": 60, "gpci": 109, "locco": 110, "anes": 109, "oppscap": 218]
      case .classes: ["pprrvu": 119, "gpci": 109, "locco": 110, "anes": 109, "oppscap": 218]
      case .codes: ["codes": 40, "modifiers": 12]
      case .places: ["zip5": 1000]
      case .providers: ["providers": 40]
      case .taxonomy: ["taxonomy": 40, "crosswalk": 40]
      case .directory, .plans, .rvutrack, .clara, .oncall, .doula, .ccc, .hospitalFacts: [:]
      case .lists: ["list": 2]
      case .exclusions: ["exclusions": 40]
      case .optOuts: ["affidavits": 40]
      case .orderReferring: ["providers": 40]
      case .enrolments: ["enrolments": 40]
      case .revalidations: ["due-dates": 40]
      case .clinicians: ["clinicians": 52]
      case .stateExclusions: ["list": 40]
      }
    }

    fileprivate func sample() throws -> String {
      switch self {
      case .feeSchedule: try Samples.make(formats: ["csv"], rows: 60, release: "2025D")
      case .classes: try Samples.make(quirks: ["qpp"], formats: ["csv"], rows: 60, release: "2026A")
      case .transition:
        try Samples.make(quirks: ["transition"], formats: ["csv"], rows: 60, release: "2010A")
      case .codes: try Samples.make("cms-hcpcs", quirks: ["corrections"], formats: ["txt"], rows: 40)
      case .places: try Samples.make("cms-zip5", formats: ["csv"], release: "2025D")
      case .providers: try ProviderFiles.bundle(month: "11")
      case .taxonomy: try ProviderFiles.taxonomy(version: "251")
      case .directory, .plans, .lists: ""
      case .exclusions, .optOuts, .orderReferring, .enrolments, .revalidations, .clinicians,
        .stateExclusions:
        try Control.payable(pipeline, of: Control.payableReleases[pipeline]?.now)
      case .rvutrack, .clara, .oncall, .doula, .ccc, .hospitalFacts:
        try Samples.make(pipeline, formats: ["csv"], rows: 100, name: "export.zip")
      }
    }

    fileprivate func before() throws -> String {
      switch self {
      case .feeSchedule, .classes: try Samples.make(formats: ["csv"], rows: 60, release: "2025A")
      case .transition:
        try Samples.make(quirks: ["transition"], formats: ["csv"], rows: 60, release: "2009D")
      case .codes: try Samples.make("cms-hcpcs", formats: ["txt"], rows: 40, release: "2024D")
      case .places: try Samples.make("cms-zip5", formats: ["csv"], release: "2025C")
      case .providers: try ProviderFiles.bundle(month: "10")
      case .taxonomy: try ProviderFiles.taxonomy(version: "250")
      case .directory: try Control.earlier.get().written()
      case .plans: try Control.earlierPlans.get().written()
      case .lists: try Control.earlierList.get().written()
      case .exclusions, .optOuts, .orderReferring, .enrolments, .revalidations, .clinicians,
        .stateExclusions:
        try Control.payable(pipeline, of: Control.payableReleases[pipeline]?.before)
      case .rvutrack, .clara, .oncall, .doula, .ccc, .hospitalFacts:
        try Samples.make(pipeline, formats: ["json"], rows: 100, seed: 2, name: "export.zip")
      }
    }

    /// The bundle's files, none of which a rule finds anything in.
    func files() throws -> Files {
      switch self {
      case .directory: return try Files(Control.directory("2025-02-01"), in: "files")
      case .plans: return try Files(Control.plans, in: "acme-2025-02-01")
      case .lists: return try Files(Control.list("2025-02-01"), in: "lists")
      default: break
      }
      var files = try Files(try sample())
      // What it has of the copies of localities is what a rule looks for.
      if pipeline == "cms-rvu" {
        try files.change("OPPSCAP") { lines in
          lines.removeAll { line in
            ["17", "18", "71", "72", "73", "74"].contains { line.contains(",01112,\($0),") }
          }
        }
      }
      return files
    }

    /// A database that has the release before, and nothing else.
    func database() throws -> TestDatabase {
      let (database, program) = try Loaded.migrated()
      // Providers' taxonomies are held against the code set.
      if self == .providers {
        try database.connect().execute(
          """
          CREATE TABLE directory.taxonomy_known PARTITION OF directory.taxonomy FOR VALUES IN ('nucc-25.0');
          INSERT INTO directory.taxonomy (release, code, source_file_id, source_line)
          VALUES ('nucc-25.0', '207R00000X', 0, 0)
          """)
      }
      try program.run("run", pipeline, try before()).succeeded()
      // What is later on the server wins over a record.
      if self == .rvutrack {
        try database.connect().execute(
          "UPDATE rvutrack.visit SET updated_at = '2000-01-01'; UPDATE rvutrack.procedure SET updated_at = '2000-01-01'"
        )
      }
      return database
    }
  }

  /// The files of a bundle, line by line.
  struct Files {
    private(set) var lines: [String: [String]] = [:]
    private let folder: Scratch
    /// The folder in the folder that the files lie in.
    private var name = ""

    init(_ texts: [String: String], in name: String) throws {
      folder = try Scratch()
      self.name = name
      lines = texts.mapValues { $0.components(separatedBy: "\n") }
    }

    init(_ zip: String) throws {
      folder = try Scratch()
      try Loaded.unzip(zip, into: folder.path)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where !name.hasSuffix("xlsx") {
        lines[name] = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
          .components(separatedBy: "\r\n")
      }
    }

    private func name(of file: String) throws -> String {
      try #require(lines.keys.first { $0.hasPrefix(file) }, "no file \(file)")
    }

    /// Changes the lines of the file whose name begins so.
    mutating func change(_ file: String, _ change: (inout [String]) throws -> Void) throws {
      let name = try name(of: file)
      let whole = lines[name] ?? []
      var changed = whole
      try change(&changed)
      try #require(changed != whole, "the change must change \(name)")
      lines[name] = changed
    }

    /// Changes the first lines that begin so.
    mutating func edit(
      _ file: String, _ start: String, _ count: Int = 1, _ edit: (String) throws -> [String]
    ) throws {
      try change(file) { lines in
        for index in lines.indices.filter({ lines[$0].hasPrefix(start) }).prefix(count).reversed() {
          lines.replaceSubrange(index...index, with: try edit(lines[index]))
        }
      }
    }

    /// Replaces a text in the first line that begins so.
    mutating func replace(_ file: String, _ start: String, _ text: String, _ other: String) throws {
      try edit(file, start) { [$0.replacing(text, with: other)] }
    }

    /// Puts a value into a field of the first line that begins so.
    mutating func set(_ file: String, _ start: String, _ field: Int, _ value: String, count: Int = 1) throws {
      try edit(file, start, count) { line in
        var fields = line.split(separator: ",", omittingEmptySubsequences: false)
        fields[field] = value[...]
        return [fields.joined(separator: ",")]
      }
    }

    /// Writes text over a place of the first line that begins so; places count from 1.
    mutating func write(_ file: String, _ start: String, at place: Int, _ text: String) throws {
      try edit(file, start) { line in
        var letters = Array(line)
        letters.replaceSubrange(place - 1..<place - 1 + text.count, with: Array(text))
        return [String(letters)]
      }
    }

    /// Puts the lines of each of two files into the other.
    mutating func swap(_ one: String, _ other: String) throws {
      let names = try [one, other].map { try name(of: $0) }
      (lines[names[0]], lines[names[1]]) = (lines[names[1]], lines[names[0]])
    }

    mutating func double(_ file: String, _ start: String) throws { try edit(file, start) { [$0, $0] } }

    mutating func drop(_ file: String, _ starts: String...) throws {
      for start in starts { try edit(file, start) { _ in [] } }
    }

    /// Leaves so many of the lines that a record is in, and all others.
    mutating func keep(_ file: String, _ count: Int, where isRecord: (String) -> Bool) throws {
      try remove(file, where: isRecord) { $0.dropFirst(count) }
    }

    /// Takes the last of the lines away that a record is in.
    mutating func dropLast(_ file: String, _ count: Int, where isRecord: (String) -> Bool) throws {
      try remove(file, where: isRecord) { $0.suffix(count) }
    }

    private mutating func remove(
      _ file: String, where isRecord: (String) -> Bool, _ choice: ([Int]) -> ArraySlice<Int>
    ) throws {
      try change(file) { lines in
        let removed = Set(choice(lines.indices.filter { isRecord(lines[$0]) }))
        lines = lines.indices.filter { !removed.contains($0) }.map { lines[$0] }
      }
    }

    /// Puts another report of deactivated NPIs in the place of the workbook.
    func workbook(_ rows: [[String]]) throws {
      let path = try workbook()
      try FileManager.default.removeItem(atPath: path)
      try Workbook.write([["NPI", "NPPES Deactivation Date"]] + rows, to: path)
    }

    /// Changes a workbook's texts.
    func editWorkbook(_ text: String, _ other: String) throws {
      let path = try workbook()
      let parts = try Scratch()
      try Shell.run("unzip", "-q", path, "-d", parts.path)
      let strings = parts.path + "/xl/sharedStrings.xml"
      let whole = try String(contentsOfFile: strings, encoding: .utf8)
      try #require(whole.contains(text), "the workbook has no '\(text)'")
      try whole.replacing(text, with: other).write(toFile: strings, atomically: true, encoding: .utf8)
      try FileManager.default.removeItem(atPath: path)
      try Shell.run("zip", "-qr", path, ".", in: parts.path)
    }

    private func workbook() throws -> String {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return folder.path + "/" + (try #require(names.first { $0.hasSuffix("xlsx") }))
    }

    /// Writes the files as they are now into a folder of another.
    func write(to scratch: Scratch, _ folder: String) throws {
      for (name, lines) in lines {
        try scratch.write(folder + "/" + name, lines.joined(separator: "\r\n"))
      }
    }

    /// The folder with the files as they are now.
    func written() throws -> String {
      try write(to: folder, name)
      return self.name.isEmpty ? folder.path : folder.path + "/" + self.name
    }
  }
}
