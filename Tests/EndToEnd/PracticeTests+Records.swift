extension PracticeTests {
  /// One who works in two networks, one without an NPI who is reached through a service, one who is named by NPI
  /// alone, and those whose work has ended, or is not yet.
  static let fhir: [String] = {
    let number = { (value: String) in
      #""identifier":[{"system":"http://hl7.org/fhir/sid/us-npi","value":"\#(value)"}]"#
    }
    let guide = "http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition"
    let network = { (id: String) in
      #"{"url":"\#(guide)/network-reference","valueReference":{"reference":"Organization/\#(id)"}}"#
    }
    let accepts = { (code: String, network: String) in
      #"{"url":"\#(guide)/newpatients","extension":[{"url":"acceptingPatients","valueCodeableConcept":{"coding":[{"code":"\#(code)"}]}}\#(network)]}"#
    }
    let role = { (id: String, rest: String) in #"{"resourceType":"PractitionerRole","id":"\#(id)",\#(rest)}"#
    }
    let place = { (id: String, line: String, zip: String, rest: String) in
      #"{"resourceType":"Location","id":"\#(id)","name":"House \#(id)","address":{"line":["\#(line)"],"city":"Wexley","state":"CT","postalCode":"\#(zip)","country":"US"}\#(rest)}"#
    }
    let first =
      #""practitioner":{"reference":"Practitioner/p1"},"organization":{"reference":"Organization/o1"}"#
    return [
      #"{"resourceType":"Practitioner","id":"p1",\#(number(npi(1))),"name":[{"family":"Alvarez","given":["Testa"]}]}"#,
      #"{"resourceType":"Practitioner","id":"p2","name":[{"family":"Zane","given":["Bo"]}]}"#,
      #"{"resourceType":"Practitioner","id":"p3",\#(number(npi(3))),"name":[{"family":"Castell","given":["Testa"]}]}"#,
      #"{"resourceType":"Organization","id":"o1","name":"Alder Clinic, Inc.","alias":["Alder Medical"],\#(number(npi(10)))}"#,
      #"{"resourceType":"Organization","id":"o2","name":"Thornfield Surgical Partners"}"#,
      #"{"resourceType":"Organization","id":"n1","name":"Acme Gold","type":[{"coding":[{"code":"ntwk"}]}]}"#,
      #"{"resourceType":"Organization","id":"n2","name":"Acme Silver","type":[{"coding":[{"code":"ntwk"}]}]}"#,
      place(
        "l1", "12 North Main Street, Suite 3", "06510-1234",
        #","telecom":[{"system":"phone","value":"(203) 555-0100"}]"#),
      place("l2", "13 Gone St", "06510", #","status":"inactive""#),
      place("l3", "9 Elm Ave", "06511", ""),
      place("l4", "77 Oak St", "06777", #","telecom":[{"system":"phone","value":"203-555-0777"}]"#),
      #"{"resourceType":"HealthcareService","id":"s1","providedBy":{"reference":"Organization/o1"},"location":[{"reference":"Location/l3"}],"extension":[\#(accepts("existptonly", ""))]}"#,
      role(
        "r1",
        #"\#(first),"location":[{"reference":"Location/l1"},{"reference":"Location/l2"}],"specialty":[{"coding":[{"code":"207R00000X"}]}],"extension":[\#(network("n1")),\#(network("n2")),\#(accepts("nopt", #",{"url":"fromNetwork","valueReference":{"reference":"Organization/n2"}}"#))]"#
      ),
      role(
        "r2",
        #""practitioner":{"reference":"Practitioner/p2"},"healthcareService":[{"reference":"HealthcareService/s1"}],"telecom":[{"system":"phone","value":"203-555-0199"}],"specialty":[{"text":"Bone setting"}]"#
      ),
      role("r3", #"\#(first),"active":false,"location":[{"reference":"Location/l3"}]"#),
      role("r4", #"\#(first),"period":{"end":"2024"},"location":[{"reference":"Location/l3"}]"#),
      role("r5", #"\#(first),"period":{"start":"2999-01"},"location":[{"reference":"Location/l3"}]"#),
      role(
        "r6",
        #""practitioner":{"identifier":{"system":"http://hl7.org/fhir/sid/us-npi","value":"\#(npi(2))"},"display":"T. Brandt"},"organization":{"display":"Birch House"},"location":[{"reference":"https://example.org/fhir/Location/l3"}]"#
      ),
      role(
        "r7",
        #""practitioner":{"reference":"Practitioner/p3"},"location":[{"reference":"Location/l4"}],"specialty":[{"coding":[{"code":"207R00000X"}]}]"#
      ),
      #"{"resourceType":"OrganizationAffiliation","id":"a1","participatingOrganization":{"reference":"Organization/o1"},"network":[{"reference":"Organization/n1"}],"location":[{"reference":"Location/l1"}]}"#,
      #"{"resourceType":"OrganizationAffiliation","id":"a2","participatingOrganization":{"reference":"Organization/o2"},"location":[{"reference":"Location/l4"}]}"#,
    ]
  }()

  static let plan = """
    [{"npi":"\(npi(1))","type":"INDIVIDUAL","name":{"first":"Testa","last":"Alvarez"},"last_updated_on":"2025-11-01",
      "accepting":"accepting","specialty":["Internal Medicine"],
      "addresses":[{"address":"12 Main St.","city":"Wexley","state":"CT","zip":"06510","phone":"2035550100"}],
      "plans":[{"plan_id":"P2","plan_id_type":"HIOS-PLAN-ID","network_tier":"PREFERRED","years":[2025]},
        {"plan_id":"P1","plan_id_type":"HIOS-PLAN-ID","network_tier":"PREFERRED","years":[2025]},
        {"plan_id":"P3","plan_id_type":"HIOS-PLAN-ID","network_tier":"STANDARD","years":[2025]}]}]
    """

  static let payer = """
    Provider ID,NPI,Provider Type,Group Name,Provider Last,Provider First,Title,Office Address 1,Office Address 2,\
    Office City,Office State,Office Zip,Office Phone,Office Fax,Taxonomy
    C1,,I,,Castell,Testa,MD,77 Oak Street,,Wexley,CT,06777,203-555-0777,,207R00000X
    C2,,O,Thornfield Surgical Partners LLC,,,,77 Oak Street,,Wexley,CT,06777,203-555-0777,,261QA1903X

    """
}
