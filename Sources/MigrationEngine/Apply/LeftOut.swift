/// What a dry run has left out of a section.
struct LeftOut {
  /// Statements that no transaction can hold, and those that need them, each with its place.
  var statements: [String] = []
  /// What would run in batches; it is among the statements, too.
  var batches: [PlannedBatches] = []
}
