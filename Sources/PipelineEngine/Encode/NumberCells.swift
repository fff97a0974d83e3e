import Definitions
import PipelineCore
import Records
import Values

/// Records the codes that a workbook holds as numbers, column by column.
struct NumberCells {
  private struct Column {
    let name: String
    let field: Int
    let type: ValueType
    var values: Set<[UInt8]> = []
    var count = 0
    var restored = 0
  }

  private let showsValues: Bool
  private var columns: [Column]

  /// Looks at columns whose codes may lose something when they become numbers.
  ///
  /// `showsValues`: no column of the layout is sensitive, so that the codes may be shown.
  init(_ head: SourceHead, showsValues: Bool) {
    self.showsValues = showsValues
    columns = zip(head.layout.columns, head.fields).compactMap { column, field in
      switch column.type {
      case .digits, .hcpcs, .modifier:
        field.map { Column(name: column.name, field: $0, type: column.type) }
      default: nil
      }
    }
  }

  mutating func note(_ reader: borrowing RecordReader) {
    for index in columns.indices where reader.isNumber(columns[index].field) {
      let (field, type) = (columns[index].field, columns[index].type)
      let (cell, isRestored) = reader.withRecord { bytes, fields in
        var scratch: [UInt8] = []
        let cell = bytes.extracting(fields[field].range)
        let isRestored = type.normalise(cell, scratch: &scratch) == .scratch
        return (cell.withUnsafeBufferPointer { Array($0) }, isRestored)
      }
      columns[index].count += 1
      if isRestored { columns[index].restored += 1 }
      if showsValues, columns[index].values.count < CrossCheck.Numbers.keptValues {
        columns[index].values.insert(cell)
      }
    }
  }

  /// What was found, of the columns that have any.
  var found: [CrossCheck.Numbers] {
    columns.filter { $0.count > 0 }.map { column in
      let values = column.values.sorted {
        $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count
      }
      return CrossCheck.Numbers(
        column: column.name, count: column.count, restored: column.restored,
        values: values.map { String(decoding: $0, as: UTF8.self) })
    }
  }
}
