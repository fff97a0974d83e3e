/// States and countries by their two letters.
///
/// What is not known is kept as it is written: another country's province, a misspelt name. A code list finds
/// it.
enum Region {
  private typealias Name = (name: StaticString, code: StaticString)

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
    code(field, range, among: countries, encoding, &scratch)
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

  private static let countries: [Name] = [
    ("USA", "US"), ("U.S.A.", "US"), ("U.S.", "US"), ("UNITED STATES", "US"),
    ("UNITED STATES OF AMERICA", "US"),
  ]

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
  ]
}
