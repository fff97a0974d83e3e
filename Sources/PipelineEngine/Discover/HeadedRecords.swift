import Definitions
import Values

/// The first records below a header, held against what a layout says of its columns.
struct HeadedRecords {
  private let columns: [(type: ValueType, field: Int)]

  init(_ version: LayoutVersion, _ match: HeaderMatch) {
    columns = zip(version.everyColumn, match.fields).compactMap { column, field in
      guard let field, column.type.isTelling else { return nil }
      return (column.type, field)
    }
  }

  /// Whether no more values are of another type than are of that of their column, so that they are below their
  /// names: they are not where it is another field than the last that records leave out.
  func areInPlace(_ records: some Sequence<[String]>) -> Bool {
    var (right, wrong) = (0, 0)
    var scratch: [UInt8] = []
    for record in records {
      for (type, field) in columns where field < record.count {
        switch type.normalise(Array(record[field].utf8).span, scratch: &scratch) {
        case .slice, .scratch: right += 1
        case .invalid: wrong += 1
        case .blank: break
        }
      }
    }
    return wrong <= right
  }
}

extension ValueType {
  /// Whether hardly any text is of the type by chance.
  fileprivate var isTelling: Bool {
    switch self {
    case .npi, .phone, .zip4, .date, .uuid, .timestamp, .decimal, .integer, .hcpcs: true
    default: false
    }
  }
}
