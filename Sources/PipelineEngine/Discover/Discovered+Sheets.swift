import Definitions
import Records

extension Discovered {
  /// Notes which sheets of workbooks hold rows that no source takes, each workbook once.
  static func tellingSheets(_ headed: [HeadedEntry]) throws -> [HeadedEntry] {
    var headed = headed
    for index in headed.indices where headed[index].ownsMalformed && headed[index].entry.format == .xlsx {
      let entry = headed[index].entry.entry
      let taken = headed.filter { $0.entry.entry == entry }.compactMap(\.head.sheetNumber)
      headed[index].head.otherSheets = try XLSXReader.filledSheets(of: entry, except: Set(taken))
    }
    return headed
  }
}

extension SourceHead {
  /// The number of the sheet that is read, from 1; nil of what is no workbook.
  fileprivate var sheetNumber: Int? {
    if case .xlsx(let format) = format, case .numbered(let number) = format.sheet { number } else { nil }
  }
}
