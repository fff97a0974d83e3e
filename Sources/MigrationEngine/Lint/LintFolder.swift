import SQLText

/// What rules ask about a folder as a whole.
struct LintFolder {
  /// Views that are kept outside the migrations, with the words of their text, names folded.
  var views: [SchemaModel.View] = []
  /// How many objects the migrations name with their schema, less those they name without: where it is above
  /// 0, a name without one is likely a slip.
  var qualifiedNames = 0
  /// Where the tables lie in Citus, as far as migrations and callbacks say it.
  var placement = CitusPlacement()
}
