import Definitions
import PipelineCore
import PostgreSQL
import Records
import Values

/// Normalises, judges and writes the values of one column.
struct ColumnEncoder {
  /// Where values come from.
  enum Source {
    case field(Int)
    case constant([UInt8])
    case recordNumber
    /// A column that the layout allows the file to lack.
    case absent
  }

  /// Memory that all columns of an encoder share.
  struct Scratch {
    /// The encoding of the fields.
    var encoding = TextEncoding.utf8
    /// How many values that are in a field have been written.
    fileprivate(set) var values = 0
    /// What stands for a blank.
    var placeholders = Placeholders([])
    fileprivate var value: [UInt8] = []
    fileprivate var pointed: [UInt8] = []
    fileprivate var condition: [UInt8] = []
  }

  let name: String
  let source: Source
  /// Whether what it writes says that there is something in a row of a child table.
  let tellsOfText: Bool
  /// The code list that values are looked up in.
  private(set) var lookup: CodeLookup?
  /// The value written last, as the server gets it, where it is kept.
  private(set) var last: [UInt8] = []
  /// How many values were left blank in place of refusing their records, by what is wrong with them.
  private(set) var blanked: [String: Int] = [:]
  /// How many values got their leading zeros back.
  private(set) var restored = 0
  /// How many values are not of their type and were loaded all the same, by value.
  private(set) var odd = ValueCounts()
  private let type: ValueType
  /// What must hold of a record for the type and the rules to hold.
  private let conditions: [FieldCondition]
  /// The same of the record that a row of a child table is of.
  private let recordConditions: [FieldCondition]
  /// Where, of these records, nothing counts.
  private let recordBlanking: FieldCondition?
  /// Whether the conditions hold of the record that was looked at last, and whether nothing counts in it.
  private var holdsInRecord = true
  private var isBlankInRecord = false
  /// What stands for a blank in this column alone.
  private let placeholders: ColumnPlaceholders?
  /// How many digits are after a point that is not written.
  private let impliedDecimals: Int
  /// Whether it is a decimal that JSON may write with an exponent.
  private let mayHaveExponent: Bool
  private let isRequired: Bool
  private let defaultBytes: [UInt8]?
  private let range: DecimalRange?
  private let allowed: [[UInt8]]
  private let matches: [TextPattern]
  private let words: StoredWords
  private let blanksInvalid: Bool
  private let keepsInvalid: Bool
  /// What a value may be that is not of the type; nil where it may not.
  private let oddForm: TextPattern?
  /// How many characters a code has; nil where any number is right.
  private let width: CodeWidth?
  private let fillsDown: Bool
  /// Whether a value may hold what COPY's text form escapes.
  private let needsEscape: Bool
  private let keepsLast: Bool
  /// Whether nothing but NULL can come of an empty field.
  private let isNullWhenEmpty: Bool
  /// The numbers that are stored as they are written, where nothing else is asked of the column.
  private let numbers: PlainDecimal?
  /// Whether the same is so of the codes of its list.
  private let storesCodes: Bool
  /// Whether the type and the rules hold in every record, of a field as it is: then no other is looked at.
  private let holdsAlways: Bool
  private var above: [UInt8]?

  /// `field`: the number of the column's field in a record; nil where the entry has none.
  /// `isFixedWidth`: whether implied points are to be set.
  /// `isJSON`: whether numbers may have exponents.
  /// `keepsLast`: whether ``last`` is wanted.
  /// `isAlone`: whether records come without those that stood above them, so that nothing can be filled down.
  init(
    _ column: LayoutColumn, field: Int?, isFixedWidth: Bool, isJSON: Bool, lists: [String: CodeList],
    conditions: [FieldCondition] = [], recordConditions: [FieldCondition] = [],
    recordBlanking: FieldCondition? = nil, placeholders: ColumnPlaceholders? = nil, keepsLast: Bool = false,
    isAlone: Bool = false
  ) {
    name = column.name
    tellsOfText = column.origin != .pathName
    source =
      switch column.origin {
      case .constant(let text): .constant(Array(text.utf8))
      case .recordNumber: .recordNumber
      case .field, .pathName: field.map { .field($0) } ?? .absent
      }
    type = column.type
    (self.conditions, self.recordConditions) = (conditions, recordConditions)
    self.recordBlanking = recordBlanking
    self.placeholders = placeholders
    impliedDecimals = isFixedWidth ? column.place?.impliedDecimals ?? 0 : 0
    mayHaveExponent = if case .decimal = type { isJSON } else { false }
    isRequired = column.isRequired || isAlone && column.fillsDown
    defaultBytes = column.defaultText.map { Array($0.utf8) }
    range = column.range
    allowed = column.oneOf.map { Array($0.utf8) }
    matches = column.matches
    words = StoredWords(column)
    blanksInvalid = column.blanksInvalid
    keepsInvalid = column.keepsInvalid
    oddForm = column.oddForm
    width = column.width.flatMap { $0.widths.isEmpty ? nil : $0 }
    fillsDown = column.fillsDown && !isAlone
    needsEscape = column.type.mayNeedEscape
    let list = column.list.flatMap { lists[$0] }
    lookup = list.map(CodeLookup.init)
    self.keepsLast = keepsLast
    var isFlag: Bool { if case .flag = column.type { true } else { false } }
    isNullWhenEmpty = !isRequired && defaultBytes == nil && !fillsDown && !keepsLast && !isFlag
    holdsAlways =
      conditions.isEmpty && recordConditions.isEmpty && recordBlanking == nil && placeholders == nil
      && impliedDecimals == 0 && !mayHaveExponent
    let isAskedMore =
      !conditions.isEmpty || !recordConditions.isEmpty || recordBlanking != nil || placeholders != nil
      || width != nil || !allowed.isEmpty || !matches.isEmpty || !words.isEmpty || fillsDown || keepsLast
      || impliedDecimals > 0
    numbers = isAskedMore || lookup != nil ? nil : PlainDecimal(type, in: range)
    storesCodes = !isAskedMore && range == nil && list?.isStored(as: type) == true
  }

  /// What is filled down stops here.
  mutating func endBlock() { above = nil }

  /// Writes the column's value of one record.
  @inline(__always)
  mutating func write(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, record: Int, _ scratch: inout Scratch,
    into buffer: inout CopyBuffer
  ) throws(Fault) {
    guard case .field(let place) = source else { return writeOwn(record: record, into: &buffer) }
    let field = bytes.extracting(fields[place].range)
    if isNullWhenEmpty, field.isEmpty {
      buffer.null()
    } else if isKnown(field), !scratch.placeholders.hold(field) {
      scratch.values &+= 1
      buffer.plainField(field)
    } else if holdsAlways {
      try encode(field, &scratch, into: &buffer)
    } else {
      try write(field, at: place, bytes, fields, &scratch, into: &buffer)
    }
  }

  /// Whether a field is stored as it is written, which one look shows of most numbers and indicators.
  @inline(__always)
  private func isKnown(_ field: Span<UInt8>) -> Bool {
    if let numbers { return numbers.holds(field) }
    return storesCodes && lookup?.holds(field) == true
  }

  /// Writes what is in no field.
  private mutating func writeOwn(record: Int, into buffer: inout CopyBuffer) {
    switch source {
    case .constant(let text):
      if keepsLast { last = text }
      buffer.field(text.span)
    case .recordNumber:
      if keepsLast { last = Array(String(record).utf8) }
      buffer.field(record)
    case .absent, .field: writeDefault(into: &buffer)
    }
  }

  /// Writes the value of a field by all rules.
  private mutating func write(
    _ field: Span<UInt8>, at place: Int, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>,
    _ scratch: inout Scratch, into buffer: inout CopyBuffer
  ) throws(Fault) {
    if isBlankInRecord { return try encode(Span(), &scratch, into: &buffer) }
    if let placeholders,
      placeholders.hold(
        place, bytes, fields, encoding: scratch.encoding, common: scratch.placeholders,
        scratch: &scratch.condition)
    {
      return try encode(Span(), &scratch, into: &buffer)
    }
    guard holdsInRecord, conditionsHold(bytes, fields, &scratch) else {
      return try writeAsItIs(field, &scratch, into: &buffer)
    }
    let start = fields[place].lowerBound
    // A number has no quotes; a text that looks like one is none.
    if mayHaveExponent, start == 0 || bytes[start &- 1] != UInt8(ascii: "\""),
      field.writeWithoutExponent(into: &scratch.pointed)
    {
      let value = scratch.pointed
      return try encode(value.span, &scratch, into: &buffer)
    }
    try pointed(field, &scratch, into: &buffer)
  }

  /// Whether a record decides if the rules hold in the rows that are of it.
  var hangsOnRecord: Bool { !recordConditions.isEmpty || recordBlanking != nil }

  /// Finds out whether the rules hold in the rows of a record.
  mutating func look(
    at bytes: Span<UInt8>, _ fields: Span<FieldRange>, _ scratch: inout Scratch
  ) {
    holdsInRecord = recordConditions.allSatisfy { holds($0, bytes, fields, &scratch) }
    isBlankInRecord = recordBlanking.map { holds($0, bytes, fields, &scratch) } ?? false
  }

  private func conditionsHold(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, _ scratch: inout Scratch
  ) -> Bool {
    conditions.allSatisfy { holds($0, bytes, fields, &scratch) }
  }

  @inline(__always)
  private func holds(
    _ condition: FieldCondition, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, _ scratch: inout Scratch
  ) -> Bool {
    condition.holds(
      bytes, fields, encoding: scratch.encoding, placeholders: scratch.placeholders,
      scratch: &scratch.condition)
  }

  private func fault(_ rule: String, _ explanation: String) -> Fault {
    let field: Int? = if case .field(let place) = source { place } else { nil }
    return Fault(column: name, rule: rule, explanation: "the value \(explanation)", field: field)
  }

  /// Writes the text of a record in which the type and the rules do not hold.
  private mutating func writeAsItIs(
    _ field: Span<UInt8>, _ scratch: inout Scratch, into buffer: inout CopyBuffer
  ) throws(Fault) {
    if scratch.placeholders.hold(field) { return writeDefault(into: &buffer) }
    switch type.normaliseElsewhere(field, encoding: scratch.encoding, scratch: &scratch.value) {
    case .slice(let range): putAsItIs(field.extracting(range), into: &buffer)
    case .scratch: putAsItIs(scratch.value.span, into: &buffer)
    case .blank:
      if isRequired { throw fault("required", "is missing") }
      return writeDefault(into: &buffer)
    case .invalid(let failure): throw fault(failure.name, failure.description)
    }
    scratch.values &+= 1
  }

  private mutating func putAsItIs(_ text: Span<UInt8>, into buffer: inout CopyBuffer) {
    if keepsLast { last = text.withUnsafeBufferPointer { Array($0) } }
    buffer.field(text)
  }

  /// Sets the point of a number that is written without it, and encodes the field.
  private mutating func pointed(
    _ field: Span<UInt8>, _ scratch: inout Scratch, into buffer: inout CopyBuffer
  ) throws(Fault) {
    guard impliedDecimals > 0, field.writePointed(decimals: impliedDecimals, into: &scratch.pointed) else {
      return try encode(field, &scratch, into: &buffer)
    }
    let value = scratch.pointed
    try encode(value.span, &scratch, into: &buffer)
  }

  private mutating func encode(
    _ field: Span<UInt8>, _ scratch: inout Scratch, into buffer: inout CopyBuffer
  ) throws(Fault) {
    let normalised =
      scratch.placeholders.hold(field)
      ? .blank : type.normalise(field, encoding: scratch.encoding, scratch: &scratch.value)
    switch normalised {
    case .slice(let range):
      scratch.values &+= 1
      try put(field.extracting(range), into: &buffer)
    case .scratch:
      scratch.values &+= 1
      if type.restoresZeros, scratch.value.count > field.trimmed().count { restored += 1 }
      try put(scratch.value.span, into: &buffer)
    case .blank:
      if let above { return buffer.field(above.span) }
      if isRequired { throw fault("required", "is missing") }
      writeDefault(into: &buffer)
    case .invalid(let failure):
      if keepsInvalid { return try writeAsItIs(field, &scratch, into: &buffer) }
      if let oddForm, isOdd(field, oddForm) { return try writeAsItIs(field, &scratch, into: &buffer) }
      try refuse(failure.name, failure.description, into: &buffer)
    }
  }

  /// Whether a value that is not of the type may be loaded all the same; counts it.
  private mutating func isOdd(_ field: Span<UInt8>, _ form: TextPattern) -> Bool {
    let trimmed = field.extracting(field.trimmed())
    let text = trimmed.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    guard form.groups(whole: text) != nil else { return false }
    odd.note(text)
    return true
  }

  /// What becomes of a value that cannot be stored: it is left blank where the layout says so, else it is a
  /// fault.
  private mutating func refuse(
    _ rule: String, _ explanation: String, into buffer: inout CopyBuffer
  ) throws(Fault) {
    guard blanksInvalid else { throw fault(rule, explanation) }
    blanked[explanation, default: 0] += 1
    writeDefault(into: &buffer)
  }

  private mutating func put(_ value: Span<UInt8>, into buffer: inout CopyBuffer) throws(Fault) {
    if let width, !width.widths.contains(value.count) { return try putOther(value, width, into: &buffer) }
    if let range, !range.contains(value) {
      return try refuse("range", "must be \(range.description)", into: &buffer)
    }
    if !allowed.isEmpty && !isAllowed(value) {
      return try refuse("one-of", "is not one of those known", into: &buffer)
    }
    if !matches.isEmpty && !isMatched(value) {
      if let oddForm, isOdd(value, oddForm) { return putAsItIs(value, into: &buffer) }
      return try refuse("matches", "is none of the forms known", into: &buffer)
    }
    if let code = lookup?.look(value) {
      restored += 1
      return try store(code.span, into: &buffer)
    }
    try store(value, into: &buffer)
  }

  /// Writes a value of another width: with the zeros that it has lost where that is certain, as it is where the
  /// layout says that it does no harm.
  @inline(never)
  private mutating func putOther(
    _ value: Span<UInt8>, _ width: CodeWidth, into buffer: inout CopyBuffer
  ) throws(Fault) {
    let text = value.withUnsafeBufferPointer { Array($0) }
    if let padded = width.padded(text) {
      restored += 1
      return try put(padded.span, into: &buffer)
    }
    if keepsInvalid || oddForm.map({ isOdd(value, $0) }) == true { return putAsItIs(value, into: &buffer) }
    try refuse("width", width.explanation, into: &buffer)
  }

  private mutating func store(_ value: Span<UInt8>, into buffer: inout CopyBuffer) throws(Fault) {
    guard words.isEmpty else { return try putWord(for: value, into: &buffer) }
    if fillsDown { above = value.withUnsafeBufferPointer { Array($0) } }
    if keepsLast { last = value.withUnsafeBufferPointer { Array($0) } }
    if needsEscape {
      buffer.field(value)
    } else {
      buffer.plainField(value)
    }
  }

  private mutating func putWord(for value: Span<UInt8>, into buffer: inout CopyBuffer) throws(Fault) {
    guard let word = words.word(for: value) else {
      return try refuse("one-of", "is not one of those known", into: &buffer)
    }
    if fillsDown { above = word }
    if keepsLast { last = word }
    buffer.field(word.span)
  }

  private func isAllowed(_ value: Span<UInt8>) -> Bool {
    value.withUnsafeBufferPointer { bytes in allowed.contains { $0.elementsEqual(bytes) } }
  }

  private func isMatched(_ value: Span<UInt8>) -> Bool {
    let text = value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    return matches.contains { $0.groups(whole: text) != nil }
  }

  private mutating func writeDefault(into buffer: inout CopyBuffer) {
    if keepsLast { last = defaultBytes ?? [] }
    if let defaultBytes {
      buffer.field(defaultBytes.span)
    } else {
      buffer.null()
    }
  }
}

extension ValueType {
  /// Whether a value that is longer than its field has got leading zeros back.
  fileprivate var restoresZeros: Bool {
    switch self {
    case .digits, .hcpcs: true
    default: false
    }
  }

  /// Whether a normalised value may hold what COPY's text form escapes.
  fileprivate var mayNeedEscape: Bool {
    switch self {
    case .text, .line, .unmarked, .code, .postalCode, .zipCode, .state, .country, .bytes, .sha256, .json,
      .texts, .person, .fullName, .phone, .phoneWithExtension, .phoneExtension,
      .suffix, .title, .credential, .organization:
      true
    default: false
    }
  }
}
