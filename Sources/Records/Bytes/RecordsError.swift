import Values

/// Why bytes or records of a source cannot be had, in words for the one who must fix it.
public enum RecordsError: Error, Equatable, Sendable {
  /// There is no such file or folder.
  case missing(path: String)
  /// The operating system refuses to open or read it, for the reason given.
  case unreadable(path: String, reason: String)
  /// An archive, or one entry of it, is damaged or cut off.
  case brokenArchive(path: String, entry: String?, reason: String)
  /// An archive, a compressed file or a folder has more than is read of one; `found` says what, as a predicate.
  case tooMuch(path: String, entry: String?, found: String)
  /// An archive without a single file, or an empty file with an archive's name.
  case emptyArchive(path: String)
  /// A file with an archive's name holds something else.
  case notAnArchive(path: String, found: String)
  /// An archive or an entry of it needs a password.
  case encrypted(path: String, entry: String?)
  /// An entry is compressed by a method that cannot be read here.
  case unsupportedCompression(path: String, entry: String, method: String)
  /// An archive no longer has the entry that it was listed with.
  case entryGone(path: String, entry: String)
  /// A workbook is encrypted, or in Excel's format of before 2007: both are the same kind of file.
  case protectedWorkbook(path: String, entry: String?)
  /// A file with a workbook's name holds something else.
  case notAWorkbook(path: String, entry: String?, found: String)
  /// A workbook, or one part of it, is damaged or is made to do harm.
  case brokenWorkbook(path: String, entry: String?, reason: String)
  /// An XML document is damaged or is made to do harm.
  case brokenXML(path: String, entry: String?, reason: String)
  /// A file with the name of a text holds something else.
  case notText(path: String, entry: String?, found: String)
  /// JSON in UTF-16 or UTF-32.
  case notUTF8(path: String, entry: String?)
  /// A workbook has no sheet of that name or number, or no sheet that can be read.
  case noSuchSheet(path: String, entry: String?, sheet: SheetChoice, sheets: [String])
}

extension RecordsError: CustomStringConvertible {
  /// What is wrong, where, and how to fix it.
  public var description: String { "\(problem.printable(keepsLines: false)). \(hint)" }

  /// What is wrong, and where.
  private var problem: String {
    switch self {
    case .missing(let path): "\(path): there is no such file or folder"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .brokenArchive(let path, let entry, let reason):
      "\(Self.place(path, entry)): the archive is damaged or cut off: \(reason)"
    case .tooMuch(let path, let entry, let found): "\(Self.place(path, entry)): \(found)"
    case .emptyArchive(let path): "\(path): the archive holds no file"
    case .notAnArchive(let path, let found): "\(path): has the name of an archive but is \(found)"
    case .encrypted(let path, let entry): "\(Self.place(path, entry)): is encrypted"
    case .unsupportedCompression(let path, let entry, let method):
      "\(Self.place(path, entry)): is compressed by \(method), which is not supported"
    case .entryGone(let path, let entry): "\(path): no longer holds the entry \(entry)"
    case .protectedWorkbook(let path, let entry):
      "\(Self.place(path, entry)): the workbook is protected by a password or is an old .xls"
    case .notAWorkbook(let path, let entry, let found):
      "\(Self.place(path, entry)): has the name of an .xlsx workbook but is \(found)"
    case .brokenXML(let path, let entry, let reason):
      "\(Self.place(path, entry)): the XML cannot be read: \(reason)"
    case .notText(let path, let entry, let found):
      "\(Self.place(path, entry)): has the name of a text file but is \(found)"
    case .notUTF8(let path, let entry): "\(Self.place(path, entry)): is not in UTF-8, as JSON must be"
    case .brokenWorkbook(let path, let entry, let reason):
      "\(Self.place(path, entry)): the workbook is damaged: \(reason)"
    case .noSuchSheet(let path, let entry, let sheet, let sheets):
      "\(Self.place(path, entry)): the workbook has no \(sheet). "
        + "It has: \(sheets.isEmpty ? "none" : sheets.map { "\"\($0)\"" }.joined(separator: ", "))"
    }
  }

  /// How to fix it.
  public var hint: String {
    switch self {
    case .missing: "Check the path."
    case .unreadable: "Check that it is a file or folder and that you may read it."
    case .brokenArchive: "Fetch it again."
    case .tooMuch: "If this is meant, unpack it, or save a workbook as .csv, and name the files to load."
    case .emptyArchive: "Fetch it again, or name another one."
    case .notAnArchive: "Fetch it again; the server may have sent an error page."
    case .encrypted: "Unpack it with its password and name the folder."
    case .unsupportedCompression(let path, let entry, _): "Unpack it first: \(Self.unpacking(path, entry))"
    case .entryGone: "The archive changed while it was read: run again."
    case .protectedWorkbook: "Open it in a spreadsheet program and save it as .xlsx without a password."
    case .notAWorkbook: "Give it the name of what it is (.csv for delimited text), or fetch it again."
    case .brokenXML: "Fetch it again, or correct it."
    case .notText: "Give it the name of what it is (.xlsx for a workbook), or fetch it again."
    case .notUTF8: "Convert it: iconv -f UTF-16 -t UTF-8"
    case .brokenWorkbook: "Fetch it again, or open it in a spreadsheet program and save it again."
    case .noSuchSheet: "Name one of these."
    }
  }

  /// The file or folder that it is about.
  public var path: String {
    switch self {
    case .missing(let path), .unreadable(let path, _), .brokenArchive(let path, _, _),
      .tooMuch(let path, _, _), .emptyArchive(let path), .notAnArchive(let path, _), .encrypted(let path, _),
      .unsupportedCompression(let path, _, _), .entryGone(let path, _), .protectedWorkbook(let path, _),
      .notAWorkbook(let path, _, _), .brokenWorkbook(let path, _, _), .brokenXML(let path, _, _),
      .notText(let path, _, _), .notUTF8(let path, _), .noSuchSheet(let path, _, _, _):
      path
    }
  }

  private static func place(_ path: String, _ entry: String?) -> String {
    SourceEntry.describe(path, entry)
  }

  /// The commands that unpack an entry, of an archive inside another one that one first.
  private static func unpacking(_ path: String, _ entry: String) -> String {
    var archive = path
    var commands: [String] = []
    for member in entry.split(separator: SourceEntry.nesting, maxSplits: 1, omittingEmptySubsequences: false)
    {
      let name = member.split(separator: "/").last.map(String.init) ?? String(member)
      commands.append("unzip -p \(quoted(archive)) \(quoted(String(member))) > \(quoted(name))")
      archive = name
    }
    return commands.joined(separator: " && ")
  }

  /// A word for the shell.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isPlain
      ? word
      : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
