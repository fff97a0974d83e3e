import Definitions
import PipelineCore
import Records

/// Counts the records that hold something in fields that should hold nothing.
struct BlankFields {
  private var fields: [(column: HeaderMatch.UnknownColumn, count: Int)]

  init(_ head: SourceHead) { fields = head.blanks.map { ($0, 0) } }

  mutating func look(_ bytes: Span<UInt8>, _ places: Span<FieldRange>) {
    for index in fields.indices where fields[index].column.field < places.count {
      if bytes.holdsText(places[fields[index].column.field].range) { fields[index].count += 1 }
    }
  }

  /// What was found, for the user.
  var warnings: [String] {
    fields.filter { $0.count > 0 }.map { column, count in
      "\(count) records have something in the column '\(column.text)', which the layout takes for blank and leaves out"
    }
  }
}
