/// The usual way to load NPPES: the whole file into one table of texts, and from there into five by SQL.
///
/// It does less than a load: no check digit, no telephone number or ZIP code mended, no line that a row comes from.
struct WideTable {
  /// The number of columns, called c1 and so on.
  let width: Int

  static let tables = [
    "provider", "provider_name", "provider_address", "provider_taxonomy", "provider_identifier",
  ]

  private var columns: [String] { (1...width).map { "c\($0)" } }

  /// Makes the table, and the five with their keys.
  var make: String {
    let five = Self.tables.map {
      "CREATE TABLE plain.\($0) (LIKE directory.\($0) INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES);"
    }
    let texts = columns.map { "\($0) text" }.joined(separator: ", ")
    return "CREATE SCHEMA plain; CREATE TABLE plain.raw (\(texts));" + five.joined()
  }

  /// Fills it, an empty pair of quotes being NULL.
  func copy(from path: String) -> String {
    "\\copy plain.raw FROM '\(path)' (FORMAT csv, HEADER, FORCE_NULL (\(columns.joined(separator: ", "))))\n"
  }

  /// Fills the five.
  var insert: String {
    [providers, names, addresses, taxonomies, identifiers].joined(separator: ";\n") + ";\n"
  }

  private func day(_ column: Int) -> String { "to_date(c\(column), 'MM/DD/YYYY')" }

  private var providers: String {
    """
    INSERT INTO plain.provider (release, source_id, npi, entity_type, replacement_npi, ein, sex, sole_proprietor,
      is_subpart, parent_organization, parent_tin, enumerated_on, updated_on, deactivation_reason, deactivated_on,
      reactivated_on, certified_on, official_last_name, official_first_name, official_middle_name, official_title,
      official_phone, official_prefix, official_suffix, official_credential, source_file_id, source_line)
    SELECT 'r', c1, c1::bigint, CASE c2 WHEN '1' THEN 'individual' WHEN '2' THEN 'organization' END, c3::bigint,
      nullif(c4, '<UNAVAIL>'), c42, c308, c309, c310, nullif(c311, '<UNAVAIL>'), \(day(37)), \(day(38)), c39,
      \(day(40)), \(day(41)), \(day(330)), c43, c44, c45, c46, '+1' || c47, c312, c313, c314, 1, 1
    FROM plain.raw
    """
  }

  private var names: String {
    """
    INSERT INTO plain.provider_name (release, source_id, slot, kind, organization, last_name, first_name, middle_name,
      prefix, suffix, credential, source_file_id, source_line)
    SELECT 'r', c1, v.*, 1, 1 FROM plain.raw, LATERAL (VALUES
      (1, 'legal', c5, c6, c7, c8, c9, c10, c11),
      (2, 'other', nullif(c12, '<UNAVAIL>'), c14, c15, c16, c17, c18, c19)) v (slot, kind, o, l, f, m, p, s, c)
    WHERE coalesce(o, l, f, m, p, s, c) IS NOT NULL
    """
  }

  private var addresses: String {
    """
    INSERT INTO plain.provider_address (release, source_id, slot, use, line_1, line_2, city, state, postal_code, zip4,
      country, phone, fax, source_file_id, source_line)
    SELECT 'r', c1, slot, use, a, b, city, state, left(zip, 5), nullif(substr(zip, 6), ''), country, '+1' || phone,
      '+1' || fax, 1, 1
    FROM plain.raw, LATERAL (VALUES (1, 'mailing', c21, c22, c23, c24, c25, c26, c27, c28),
      (2, 'practice', c29, c30, c31, c32, c33, c34, c35, c36)) v (slot, use, a, b, city, state, zip, country, phone, fax)
    WHERE coalesce(a, b, city, state, zip, country, phone, fax) IS NOT NULL
    """
  }

  private var taxonomies: String {
    let slots = (0..<15).map { slot in
      let first = 48 + 4 * slot
      return "(\(slot + 1), c\(first), c\(first + 1), c\(first + 2), c\(first + 3), c\(315 + slot))"
    }
    return """
      INSERT INTO plain.provider_taxonomy (release, source_id, slot, taxonomy, license, license_state, primary_switch,
        taxonomy_group, source_file_id, source_line)
      SELECT 'r', c1, v.*, 1, 1 FROM plain.raw,
        LATERAL (VALUES \(slots.joined(separator: ", "))) v (slot, t, l, s, p, g)
      WHERE coalesce(t, l, s, p, g) IS NOT NULL
      """
  }

  private var identifiers: String {
    let slots = (0..<50).map { slot in
      let first = 108 + 4 * slot
      return "(\(slot + 1), c\(first), c\(first + 1), c\(first + 2), c\(first + 3))"
    }
    return """
      INSERT INTO plain.provider_identifier (release, source_id, slot, identifier, kind, state, issuer, source_file_id,
        source_line)
      SELECT 'r', c1, v.*, 1, 1 FROM plain.raw, LATERAL (VALUES \(slots.joined(separator: ", "))) v (slot, i, k, s, u)
      WHERE coalesce(i, k, s, u) IS NOT NULL
      """
  }
}
