import Testing

/// Values as apps export them.
@Suite struct ExportedValueTests {
  @Test(arguments: [
    ("6f9619ff-8b86-d011-b42d-00c04fc964ff", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ("6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ("{6F9619FF-8B86-D011-B42D-00C04FC964FF}", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ("6f9619ff8b86d011b42d00c04fc964ff", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ("{6f9619ff8b86d011b42d00c04fc964ff}", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ("  6f9619ff-8b86-d011-b42d-00c04fc964ff ", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ("", "blank"), ("{}", "!not-a-uuid"), ("6f9619ff-8b86-d011-b42d-00c04fc964f", "!not-a-uuid"),
    ("6f9619ff-8b86-d011-b42d-00c04fc964fg", "!not-a-uuid"),
    ("6f9619ff8b86-d011-b42d-00c04fc964ff00", "!not-a-uuid"),
    ("6f9619ff-8b86-d011-b42d00c04fc964ff-", "!not-a-uuid"),
    ("{6f9619ff-8b86-d011-b42d-00c04fc964ff", "!not-a-uuid"),
    ("6f9619ff-8b86d011-b42d-00c04fc964fff", "!not-a-uuid"),
  ])
  func `a UUID is canonical or refused`(field: String, expected: String) {
    #expect(normalised("uuid", field) == expected)
  }

  @Test(arguments: [
    ("2025-01-31T09:30:00Z", "2025-01-31 09:30:00+00:00"),
    ("2025-01-31t09:30:00z", "2025-01-31 09:30:00+00:00"),
    ("2025-01-31T09:30:00.123Z", "2025-01-31 09:30:00.123+00:00"),
    ("2025-01-31T09:30:00.1234567Z", "2025-01-31 09:30:00.123456+00:00"),
    ("2025-01-31 09:30:00.5-08", "2025-01-31 09:30:00.5-08:00"),
    ("2025-01-31T09:30:00+0530", "2025-01-31 09:30:00+05:30"),
    ("2025-01-31T09:30:00 +05:30", "2025-01-31 09:30:00+05:30"),
    ("2025-01-31T09:30:00", "2025-01-31 09:30:00+00:00"), ("2025-01-31T09:30", "2025-01-31 09:30:00+00:00"),
    ("2025-01-31", "2025-01-31 00:00:00+00:00"), ("", "blank"), ("0000-00-00", "blank"),
    ("2025-02-30T09:30:00Z", "!impossible-date"), ("2025-01-31T24:00:00Z", "!not-a-timestamp"),
    ("2025-01-31T09:60:00Z", "!not-a-timestamp"), ("2025-01-31T09:30:60Z", "!not-a-timestamp"),
    ("2025-01-31T09:30:00.Z", "!not-a-timestamp"), ("2025-01-31T09:30:00X", "!not-a-timestamp"),
    ("2025-01-31T09:30:00+5", "!not-a-timestamp"), ("2025-01-31T09:30:00+16", "!not-a-timestamp"),
    ("2025-01-31T", "!not-a-timestamp"), ("31/01/2025", "!not-a-timestamp"),
    ("1738315800000", "!not-a-timestamp"),
    ("2025-01-31T09:30:00Z and", "!not-a-timestamp"),
  ])
  func `a moment is ISO with its zone or refused`(field: String, expected: String) {
    #expect(normalised("timestamp", field) == expected)
  }

  @Test(arguments: [
    ("09:30", "09:30:00"), ("9:30", "09:30:00"), ("23:59:59.25", "23:59:59.25"), ("9:30 PM", "21:30:00"),
    ("12:05 am", "00:05:00"), ("12:05PM", "12:05:00"), ("", "blank"), ("24:00", "!not-a-time"),
    ("13:00 PM", "!not-a-time"),
    ("0:30 AM", "!not-a-time"), ("09:5", "!not-a-time"), ("930", "!not-a-time"), ("09:30 XM", "!not-a-time"),
  ])
  func `a time of day has 24 hours or is refused`(field: String, expected: String) {
    #expect(normalised("time", field) == expected)
  }

  @Test(arguments: [
    ("true", "t"), ("TRUE", "t"), ("Yes", "t"), ("1", "t"), ("f", "f"), ("No", "f"), ("0", "f"),
    ("", "blank"),
    ("2", "!not-a-boolean"), ("tru", "!not-a-boolean"), ("null", "!not-a-boolean"),
  ])
  func `yes and no are told in any case`(field: String, expected: String) {
    #expect(normalised("boolean", field) == expected)
  }

  @Test(arguments: [
    ("TWFu", "\\x4d616e"), ("TWE=", "\\x4d61"), ("TQ==", "\\x4d"), ("TWE", "\\x4d61"), ("-_8", "\\xfbff"),
    ("+/8=", "\\xfbff"), ("\\x4D616e", "\\x4D616e"), ("\\x", "\\x"), ("", "blank"), ("\\x4", "!not-binary"),
    ("\\xzz", "!not-binary"), ("T", "!not-binary"), ("TQ=", "!not-binary"), ("TQ===", "!not-binary"),
    ("TW u", "!not-binary"), ("=", "!not-binary"),
  ])
  func `ciphertext is carried as it is`(field: String, expected: String) {
    #expect(normalised("bytes", field) == expected)
  }

  @Test func `of a secret nothing is left but its digest`() {
    #expect(
      normalised("sha256", " abc ") == "\\xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(normalised("sha256", "") == "blank")
  }
}
