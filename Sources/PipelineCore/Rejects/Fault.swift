/// What is wrong with a record.
package struct Fault: Error {
  /// The column, where one is to blame.
  package let column: String?
  /// The rule's name, such as `not-a-decimal` or `required`.
  package let rule: String
  /// What is wrong in words, without the value.
  package let explanation: String
  /// The number of the field that holds the value.
  package var field: Int?

  package init(
    column: String?, rule: String, explanation: String, field: Int? = nil
  ) {
    self.column = column
    self.rule = rule
    self.explanation = explanation
    self.field = field
  }
}
