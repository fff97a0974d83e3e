/// Between which keys the rest of a statement is that runs in batches.
///
/// They may be values of somebody's data: nobody is shown them.
struct BatchPosition {
  /// The last key that is done; nil before the first.
  var last: [String]?
  /// The greatest key that the table had when the statement began; nil where it had no rows.
  ///
  /// It ends there whatever it does: rows that it moves beyond, or inserts there, would have it go on for ever.
  var end: [String]?
  /// What both keys are of.
  let types: [String]
}
