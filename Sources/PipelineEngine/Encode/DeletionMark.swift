import Definitions
import PipelineCore
import Records

/// Tells which records of an entry mean that the row of their key is to be deleted.
struct DeletionMark {
  private let field: Int
  private let values: [[UInt8]]

  /// Nil where the entry lacks the column: then it marks nothing.
  init?(_ deletion: MergeRule.Deletion, _ head: SourceHead) {
    guard let index = head.layout.columns.firstIndex(where: { $0.name == deletion.column }),
      let field = head.fields[index]
    else { return nil }
    self.field = field
    values = deletion.values.map { Array($0.utf8) }
  }

  /// Whether a record does.
  func marks(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Bool {
    guard field < fields.count else { return false }
    let text = bytes.trimmed(fields[field].range)
    if values.isEmpty { return !text.isEmpty }
    return values.contains { value in
      value.count == text.count && value.indices.allSatisfy { bytes[text.lowerBound + $0] == value[$0] }
    }
  }
}
