import Testing

/// Values as apps export them.
@Suite struct ExportedValueTests {
  private static let values: TypeCases = [
    // A UUID is canonical or refused.
    "uuid": [
      ("6f9619ff-8b86-d011-b42d-00c04fc964ff", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
      ("6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
      ("{6F9619FF-8B86-D011-B42D-00C04FC964FF}", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
      ("6f9619ff8b86d011b42d00c04fc964ff", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
      ("{6f9619ff8b86d011b42d00c04fc964ff}", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
      ("  6f9619ff-8b86-d011-b42d-00c04fc964ff ", "6f9619ff-8b86-d011-b42d-00c04fc964ff"), ("", "blank"),
      ("{}", "!not-a-uuid"), ("6f9619ff-8b86-d011-b42d-00c04fc964f", "!not-a-uuid"),
      ("6f9619ff-8b86-d011-b42d-00c04fc964fg", "!not-a-uuid"),
      ("6f9619ff8b86-d011-b42d-00c04fc964ff00", "!not-a-uuid"),
      ("6f9619ff-8b86-d011-b42d00c04fc964ff-", "!not-a-uuid"),
      ("{6f9619ff-8b86-d011-b42d-00c04fc964ff", "!not-a-uuid"),
      ("6f9619ff-8b86d011-b42d-00c04fc964fff", "!not-a-uuid"),
    ],
    // A moment is ISO with its zone or refused.
    "timestamp": [
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
      ("1738315800000", "!not-a-timestamp"), ("2025-01-31T09:30:00Z and", "!not-a-timestamp"),
    ],
    // A time of day has 24 hours or is refused.
    "time": [
      ("09:30", "09:30:00"), ("9:30", "09:30:00"), ("23:59:59.25", "23:59:59.25"), ("9:30 PM", "21:30:00"),
      ("12:05 am", "00:05:00"), ("12:05PM", "12:05:00"), ("", "blank"), ("24:00", "!not-a-time"),
      ("13:00 PM", "!not-a-time"), ("0:30 AM", "!not-a-time"), ("09:5", "!not-a-time"),
      ("930", "!not-a-time"), ("09:30 XM", "!not-a-time"),
    ],
    // Yes and no are known in any case.
    "boolean": [
      ("true", "t"), ("TRUE", "t"), ("Yes", "t"), ("1", "t"), ("f", "f"), ("No", "f"), ("0", "f"),
      ("", "blank"), ("2", "!not-a-boolean"), ("tru", "!not-a-boolean"), ("null", "!not-a-boolean"),
    ],
    // Ciphertext is carried as it is.
    "bytes": [
      ("TWFu", "\\x4d616e"), ("TWE=", "\\x4d61"), ("TQ==", "\\x4d"), ("TWE", "\\x4d61"), ("-_8", "\\xfbff"),
      ("+/8=", "\\xfbff"), ("\\x4D616e", "\\x4D616e"), ("\\x", "\\x"), ("", "blank"), ("\\x4", "!not-binary"),
      ("\\xzz", "!not-binary"), ("T", "!not-binary"), ("TQ=", "!not-binary"), ("TQ===", "!not-binary"),
      ("TW u", "!not-binary"), ("=", "!not-binary"),
    ],
    // JSON is kept as the server can hold it.
    "json": [
      (#"{"a": [1, -0.5e10, "x\u00e9"], "b": null}"#, #"{"a": [1, -0.5e10, "x\u00e9"], "b": null}"#),
      ("[]", "[]"), ("{ }", "{ }"), ("", "blank"), ("\"t\"", "\"t\""), ("0", "0"), ("{", "!not-json"),
      ("{}x", "!not-json"), ("[1,]", "!not-json"), ("{\"a\"}", "!not-json"), ("01", "!not-json"),
      ("1e99999", "!not-json"), ("tru", "!not-json"), (#""\u0000""#, "!not-json"),
      (#""\ud800""#, "!not-json"), (#""\ud83d\ude00""#, #""\ud83d\ude00""#), (#""\x""#, "!not-json"),
      ("\"a\nb\"", "!not-json"), ("'a'", "!not-json"),
    ],
    "json(-p)": [
      (#"{"p": {"x": 1}, "a": [{"p": 1, "b": 2}], "c": 3}"#, #"{"a":[{"b":2}],"c":3}"#),
      (#"{"\u0070":1,"a":1}"#, #"{"a":1}"#),
      (
        #"{"a":"{\"p\":1,\"b\":\"c\\\"d\"}","e":["[{\"p\": 2}]","p"]}"#,
        #"{"a":"{\"b\":\"c\\\"d\"}","e":["[{}]","p"]}"#
      ),
      (
        #"{"a":"{\"b\": 1}","c":"{\"p\"","d":"{\"p\":1} x"}"#,
        #"{"a":"{\"b\": 1}","c":"{\"p\"","d":"{\"p\":1} x"}"#
      ),
    ],
    "json(-p,-q)": [(#"{"p":1,"q":2}"#, "{}")],
    // A name in any spelling.
    "json(-patientId)": [
      (
        #"{"patientID":1,"Patient_Id":2,"patient-id":3,"patient":4,"patientIds":5}"#,
        #"{"patient":4,"patientIds":5}"#
      )
    ],
    "json(array)": [("[1]", "[1]"), ("{}", "!not-an-array"), ("1", "!not-an-array")],
    "json(object)": [("{}", "{}"), ("[]", "!not-an-object")],
    "json(object,-p)": [(#"{"p":1}"#, "{}")],
    "texts": [
      (#"["a", "b c", 1, true, null]"#, #"{"a","b c","1","true"}"#), ("[]", "{}"), ("[null]", "{}"),
      (#"["q\"q", "b\\b", "n\nn", "\u00e9\ud83d\ude00"]"#, "{\"q\\\"q\",\"b\\\\b\",\"n\nn\",\"é😀\"}"),
      ("a", "!not-an-array-of-texts"), ("[[]]", "!not-an-array-of-texts"),
      ("[\"a\"", "!not-an-array-of-texts"),
    ],
  ]

  @Test(arguments: values)
  func `a value is as the server can hold it, or refused`(
    type: String, values: [(field: String, expected: String)]
  ) {
    check(type, values)
  }

  @Test func `JSON is as deep as it may be and no deeper`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(normalised("json", nested(64)) == nested(64))
    #expect(normalised("json", nested(65)) == "!not-json")
  }

  @Test func `what is a digest already stays one`() {
    let digest = "\\x" + String(repeating: "a9", count: 32)
    #expect(normalised("sha256", digest) == digest)
    #expect(normalised("sha256", String(digest.dropFirst(2))) != digest)
  }

  @Test func `of a secret nothing is left but its digest`() {
    #expect(
      normalised("sha256", " abc ") == "\\xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(normalised("sha256", "") == "blank")
  }
}
