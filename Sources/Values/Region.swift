/// States and countries by their two letters.
///
/// ```
/// Massachusetts  ma      MA
/// USA  United States     US
/// DEU  Germany           DE
/// PRI  Puerto Rico       PR, as a state and as a country
/// ```
///
/// What is not known is kept as it is written: another country's province, a misspelt name. A code list finds
/// it.
enum Region {
  typealias Name = (name: StaticString, code: StaticString)

  /// A state of the United States; the District of Columbia and the territories count as such.
  static func state(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    code(field, range, among: states, encoding, &scratch)
  }

  /// A country by ISO 3166.
  static func country(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    guard range.count == 3, let code = shortCode(field, range) else {
      return code(field, range, among: countries, encoding, &scratch)
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: code)
    return .scratch
  }

  /// The two letters of a country that is written with three; nil where there is none such.
  private static func shortCode(_ field: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    let codes = UnsafeBufferPointer(start: longCodes.utf8Start, count: longCodes.utf8CodeUnitCount)
    let place = stride(from: 0, to: codes.count, by: 6).first { place in
      range.enumerated().allSatisfy { ASCII.upper(field[$1]) == codes[place + $0] }
    }
    return place.map { [codes[$0 + 3], codes[$0 + 4]] }
  }

  private static func code(
    _ field: Span<UInt8>, _ range: Range<Int>, among names: [Name], _ encoding: TextEncoding,
    _ scratch: inout [UInt8]
  ) -> Normalised {
    if range.count == 2 {
      let (first, second) = (field[range.lowerBound], field[range.lowerBound &+ 1])
      if ASCII.isUpper(first), ASCII.isUpper(second) { return .slice(range) }
      if ASCII.isUpper(ASCII.upper(first)), ASCII.isUpper(ASCII.upper(second)) {
        scratch.replace(with: ASCII.upper(first))
        scratch.append(ASCII.upper(second))
        return .scratch
      }
    }
    guard let found = names.first(where: { field.isWord($0.name, at: range) }) else {
      return TextNormalisation.line(field, range, encoding, &scratch)
    }
    scratch.replace(with: found.code)
    return .scratch
  }

  private static let states: [Name] = [
    ("ALABAMA", "AL"), ("ALASKA", "AK"), ("AMERICAN SAMOA", "AS"), ("ARIZONA", "AZ"), ("ARKANSAS", "AR"),
    ("CALIFORNIA", "CA"), ("COLORADO", "CO"), ("CONNECTICUT", "CT"), ("DELAWARE", "DE"),
    ("DISTRICT OF COLUMBIA", "DC"), ("FLORIDA", "FL"), ("GEORGIA", "GA"), ("GUAM", "GU"), ("HAWAII", "HI"),
    ("IDAHO", "ID"), ("ILLINOIS", "IL"), ("INDIANA", "IN"), ("IOWA", "IA"), ("KANSAS", "KS"),
    ("KENTUCKY", "KY"), ("LOUISIANA", "LA"), ("MAINE", "ME"), ("MARYLAND", "MD"), ("MASSACHUSETTS", "MA"),
    ("MICHIGAN", "MI"), ("MINNESOTA", "MN"), ("MISSISSIPPI", "MS"), ("MISSOURI", "MO"), ("MONTANA", "MT"),
    ("NEBRASKA", "NE"), ("NEVADA", "NV"), ("NEW HAMPSHIRE", "NH"), ("NEW JERSEY", "NJ"), ("NEW MEXICO", "NM"),
    ("NEW YORK", "NY"), ("NORTH CAROLINA", "NC"), ("NORTH DAKOTA", "ND"), ("NORTHERN MARIANA ISLANDS", "MP"),
    ("OHIO", "OH"), ("OKLAHOMA", "OK"), ("OREGON", "OR"), ("PENNSYLVANIA", "PA"), ("PUERTO RICO", "PR"),
    ("RHODE ISLAND", "RI"), ("SOUTH CAROLINA", "SC"), ("SOUTH DAKOTA", "SD"), ("TENNESSEE", "TN"),
    ("TEXAS", "TX"), ("UTAH", "UT"), ("VERMONT", "VT"), ("VIRGIN ISLANDS", "VI"), ("VIRGINIA", "VA"),
    ("WASHINGTON", "WA"), ("WEST VIRGINIA", "WV"), ("WISCONSIN", "WI"), ("WYOMING", "WY"),
    ("D.C.", "DC"), ("WASHINGTON DC", "DC"), ("WASHINGTON, DC", "DC"), ("WASHINGTON D.C.", "DC"),
    ("P.R.", "PR"), ("PRI", "PR"), ("COMMONWEALTH OF PUERTO RICO", "PR"), ("U.S. VIRGIN ISLANDS", "VI"),
    ("US VIRGIN ISLANDS", "VI"), ("UNITED STATES VIRGIN ISLANDS", "VI"), ("VIRGIN ISLANDS, U.S.", "VI"),
    ("VIR", "VI"), ("GUM", "GU"), ("ASM", "AS"), ("MNP", "MP"), ("NORTHERN MARIANAS", "MP"), ("CNMI", "MP"),
    ("COMMONWEALTH OF THE NORTHERN MARIANA ISLANDS", "MP"), ("PALAU", "PW"), ("MARSHALL ISLANDS", "MH"),
    ("MICRONESIA", "FM"), ("FEDERATED STATES OF MICRONESIA", "FM"),
    ("UNITED STATES MINOR OUTLYING ISLANDS", "UM"), ("ARMED FORCES EUROPE", "AE"),
    ("ARMED FORCES PACIFIC", "AP"), ("ARMED FORCES AMERICAS", "AA"),
  ]
}
