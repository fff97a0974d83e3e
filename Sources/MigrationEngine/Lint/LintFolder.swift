import SQLText

/// What rules ask about a folder as a whole.
struct LintFolder {
  /// Views that are kept outside the migrations, with the words of their text, names folded.
  var views: [SchemaModel.View] = []
  /// Whether a migration makes a schema of its own: then an unqualified name is likely a slip.
  var makesSchemas = false
  /// Where the tables lie in Citus, as far as migrations and callbacks say it.
  var placement = CitusPlacement()
}
