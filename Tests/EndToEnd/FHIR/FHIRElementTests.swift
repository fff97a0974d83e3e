import TestSupport
import Testing

@Suite("A directory in FHIR, element by element")
struct FHIRElementTests {
  /// What is not read, by the elements that lead to it one after the other, and why.
  private static let unread: KeyValuePairs<String, String> = [
    "Resource.text": "prose that is made of the rest of the record",
    "Resource.extension": "an extension that no guide of directories has",
    "Resource.modifierExtension Extension.valueString":
      "the record is marked; nobody knows what the value means",
    "Practitioner.birthDate": "a directory of places of work has no need for it",
    "Practitioner.photo": "a picture of a person",
    "HealthcareService.photo": "a picture",
    "Endpoint.header": "it may hold a password or a token",
    "VirtualService.sessionKey": "it is a key",
    "Identifier.type CodeableConcept.coding Coding.version": "the code says it",
    "Identifier.type CodeableConcept.coding Coding.display": "where there is a text, that is kept",
    "Identifier.type CodeableConcept.coding Coding.userSelected": "the code says it",
    "Reference.identifier Identifier.use": "what is meant is found by system and value",
    "Reference.identifier Identifier.type": "what is meant is found by system and value",
    "Reference.identifier Identifier.period": "what is meant is found by system and value",
    "Reference.identifier Identifier.assigner": "what is meant is found by system and value",
    "Qualification.identifier Identifier.use": "a licence has system, value and a period of its own",
    "Qualification.identifier Identifier.type": "a licence has system, value and a period of its own",
    "Qualification.identifier Identifier.period": "a licence has system, value and a period of its own",
    "Qualification.identifier Identifier.assigner": "who gave it is the issuer",
    "Contact.purpose CodeableConcept.coding Coding.version": "the code says it",
    "Contact.purpose CodeableConcept.coding Coding.display": "where there is a text, that is kept",
    "Contact.purpose CodeableConcept.coding Coding.userSelected": "the code says it",
    "Contact.name HumanName.period": "whom to ask is said for now",
    "Contact.telecom ContactPoint.system": "the columns are by system",
    "Contact.telecom ContactPoint.use": "numbers of a contact are a list",
    "Contact.telecom ContactPoint.rank": "numbers of a contact are a list",
    "Contact.telecom ContactPoint.period": "numbers of a contact are a list",
    "Contact.address Address.period": "whom to ask is said for now",
    "Limit.code CodeableConcept.coding Coding.system": "limits of a benefit are a list",
    "Limit.code CodeableConcept.coding Coding.version": "the code says it",
    "Limit.code CodeableConcept.coding Coding.display": "where there is a text, that is kept",
    "Limit.code CodeableConcept.coding Coding.userSelected": "the code says it",
    "Limit.value Quantity.system": "where there is a unit in words, that is kept",
    "Limit.value Quantity.code": "where there is a unit in words, that is kept",
    "Cost.value Quantity.system": "where there is a unit in words, that is kept",
    "Cost.value Quantity.code": "where there is a unit in words, that is kept",
  ]

  /// What layouts look at to find what they read, so that a run counts it as read.
  private static let lookedAt = [
    // Which extension it is, and which kind of number.
    ".extension.url", ".contact.telecom.system",
    // Whether the number is a social security number, which is not stored.
    ".identifier.type.coding.code",
  ]

  private static func unread(_ leaf: FilledResource.Leaf) -> String? {
    // A contact of one version has what that of the other has.
    let elements = leaf.elements.map { $0.replacing("ExtendedContactDetail.", with: "Contact.") }
    return unread.first { pattern, _ in
      elements.joined(separator: " ").contains(pattern)
    }?.key
  }

  /// The paths that a run lists as left out, whatever the extension is called.
  private static func listed(_ errors: String) -> [String] {
    errors.matches(of: /'([A-Z][A-Za-z]+\.[^']+)' \(\d+\)/).map {
      String($0.1).replacing(/\[[^\]]*\]/, with: "")
    }
  }

  /// All that the tables have of a record.
  private static func content(of id: String, in desk: Desk) throws -> String {
    let tables = try desk.rows(
      """
      SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'source_id'
      WHERE c.relnamespace = 'directory'::regnamespace AND c.relkind = 'p'
      """)
    return try tables.map { table in
      try desk.value(
        """
        SELECT coalesce(string_agg((to_jsonb(r) - 'release' - 'source_id')::text, E'\\n'), '')
        FROM directory.\(table) r WHERE source_id = '\(id)'
        """) ?? ""
    }.joined(separator: "\n")
  }

  @Test(
    "has every element of every resource in a column, or names it as unread",
    arguments: FHIRElements.Version.allCases)
  func everyElement(_ version: FHIRElements.Version) throws {
    let desk = try Desk()
    let resources =
      FHIRElements.resources.map { FilledResource($0, version) }
      + [FilledResource("Organization", version, isNetwork: true)]
    try desk.scratch.write(
      "acme-2025-01-01/all.ndjson", try resources.map { try $0.json() + "\n" }.joined())
    let run = try desk.load("fhir-directory", "acme-2025-01-01").succeeded()
    let listed = Self.listed(run.errors)
    for kind in Set(resources.map(\.kind)) {
      let unread = Set(
        resources.filter { $0.kind == kind }.flatMap(\.leaves).filter { Self.unread($0) != nil }
          .map { "\(kind).\($0.path)" })
      // Prose is left out by the layouts themselves, which say why; all else a run names with its count.
      let named = Set(listed.filter { $0.hasPrefix(kind + ".") })
      #expect(named.isSubset(of: unread), "\(kind): \(named.subtracting(unread).sorted())")
      let uncounted = unread.subtracting(named).filter { path in
        !path.hasPrefix(kind + ".text.") && !Self.lookedAt.contains(where: path.hasSuffix)
      }
      // Behind a hundred names the rest is counted together.
      let more = run.errors.split(separator: "\n").first { $0.contains("'\(kind).") }?
        .firstMatch(of: /(\d+) values of more properties/).flatMap { Int($0.1) }
      #expect(uncounted.count == more ?? 0, "\(kind): \(uncounted.sorted())")
    }
    for resource in resources {
      let content = try Self.content(of: resource.id, in: desk)
      #expect(!content.isEmpty, "\(resource.id)")
      var flags = 0
      for leaf in resource.leaves {
        let pattern = Self.unread(leaf)
        if leaf.isFlag {
          if pattern == nil { flags += 1 }
        } else {
          #expect(
            content.contains(leaf.text) == (pattern == nil),
            "\(resource.id).\(leaf.path) \(pattern.map { "is read, and listed as '\($0)'" } ?? "is in no column")"
          )
        }
      }
      let found = content.split(separator: "true", omittingEmptySubsequences: false).count - 1
      #expect(found == flags, "\(resource.id): true is \(found) times in columns, of \(flags)")
    }
  }

  @Test("keeps where each qualification holds and whether it does, and how a service is delivered")
  func planNetExtensions() throws {
    let guide = "http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/"
    func qualification(_ taxonomy: String, _ rest: String) -> String {
      #"{"code":{"coding":[{"system":"http://nucc.org/provider-taxonomy","code":"\#(taxonomy)"}]},\#(rest)}"#
    }
    func extended(_ parts: String...) -> String {
      #""extension":[{"url":"\#(guide)practitioner-qualification","extension":["#
        + parts.joined(separator: ",") + "]}]"
    }
    func concept(_ url: String, _ coding: String, _ text: String = "") -> String {
      #"{"url":"\#(url)","valueCodeableConcept":{"coding":[{\#(coding)}]\#(text)}}"#
    }
    let qualifications = [
      qualification(
        "207R00000X",
        #""identifier":[{"value":"L1"}],"#
          + extended(
            #"{"url":"status","valueCode":"active"}"#, concept("whereValid", #""code":"CT""#),
            concept("whereValid", #""code":"NY""#))),
      qualification(
        "208000000X",
        #""identifier":[{"value":"L2"}],"#
          + extended(
            concept("status", #""code":"revoked""#), #"{"url":"whereValid","valueCode":"MA"}"#)),
      // R5 has an element for it.
      qualification("208600000X", #""status":{"coding":[{"code":"inactive"}]}"#),
    ]
    let delivery = [
      concept("type", #""system":"urn:how","code":"virtual","display":"Virtual""#),
      concept("virtualModalities", #""code":"phone""#),
      concept("virtualModalities", #""code":"video""#, #","text":"By video""#),
    ]
    let desk = try Desk()
    let (qualified, delivered) = (qualifications.joined(separator: ","), delivery.joined(separator: ","))
    let lines = [
      #"{"resourceType":"Practitioner","id":"p","qualification":[\#(qualified)]}"#,
      #"{"resourceType":"HealthcareService","id":"h","#
        + #""extension":[{"url":"\#(guide)delivery-method","extension":[\#(delivered)]}]}"#,
    ]
    try desk.scratch.write("acme-2025-01-01/all.ndjson", lines.map { $0 + "\n" }.joined())
    try desk.load("fhir-directory", "acme-2025-01-01").succeeded()
    #expect(
      try desk.rows(
        """
        SELECT taxonomy, license, license_state, valid_in, status FROM directory.provider_taxonomy
        ORDER BY slot
        """) == [
          "207R00000X|L1|CT|CT NY|active", "208000000X|L2|MA|MA|revoked", "208600000X|-|-|-|inactive",
        ])
    #expect(
      try desk.rows(
        """
        SELECT path, system, code, display, text FROM directory.healthcare_service_concept
        WHERE coalesce(code, text) IS NOT NULL ORDER BY path, code
        """) == [
          "deliveryMethod.type.coding|urn:how|virtual|Virtual|-",
          "deliveryMethod.virtualModalities|-|-|-|By video",
          "deliveryMethod.virtualModalities.coding|-|phone|-|-",
          "deliveryMethod.virtualModalities.coding|-|video|-|-",
        ])
  }
}
