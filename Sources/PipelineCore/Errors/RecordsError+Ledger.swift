package import Records

extension RecordsError {
  /// The data were refused, rather than that nobody could get at them.
  package var isRefusal: Bool {
    switch self {
    case .missing, .unreadable: false
    default: true
    }
  }

  /// What the ledger keeps of the error; what is wrong with the XML of a workbook may quote its text.
  package var ledgerText: String {
    switch self {
    case .brokenWorkbook(let path, let entry, _):
      return RecordsError.brokenWorkbook(path: path, entry: entry, reason: "a part of it cannot be read")
        .description
    case .brokenXML(let path, let entry, _):
      return RecordsError.brokenXML(path: path, entry: entry, reason: "it is not well-formed").description
    default: return description
    }
  }
}
