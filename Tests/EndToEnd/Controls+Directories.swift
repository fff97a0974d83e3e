import Foundation
import TestSupport

/// A control for each rule of fhir-directory and qhp-providers.
extension Control {
  static let directories: [Control] =
    resources.flatMap { source, table, file in records(source, table, file + "_") }
    + resources.map { source, _, file in
      Control("older-versions-\(source)", 1, in: .directory, passes: true) { files in
        try files.edit(file + "_", "{") { record in
          [record, "{\"meta\":{\"lastUpdated\":\"2025-01-02T00:00:00Z\"}," + record.dropFirst()]
        }
      }
    }
    + records("providers", "directory.provider", "providers", in: .plans, ("1234567893", "1245319599"))
    + moments + records("plans", "directory.insurance_plan", "plans", in: .plans)
    + [
      Control("npi-check-digit", 1, in: .directory, passes: true) {
        try $0.replace("Practitioner_", "{", "1234567893", "1234567894")
      },
      Control("organization-npi-check-digit", 1, in: .directory, passes: true) {
        try $0.replace("Organization_", "{", "1234567893", "1234567890")
      },
      Control("npi-form", 1, in: .directory, passes: true) {
        try $0.replace("Practitioner_", "{", "1234567893", "3234567893")
      },
      Control("organization-npi-form", 1, in: .directory, passes: true) {
        try $0.replace("Organization_", "{", "1234567893", "123456789")
      },
      Control("npi-of-unknown-system", 1, in: .directory, passes: true) {
        try $0.replace(
          "Practitioner_", "{", "\"identifier\":[",
          "\"identifier\":[{\"system\":\"urn:x\",\"value\":\"1245319599\"},")
      },
      Control("modifier-extensions", 1, in: .directory, passes: true) {
        try $0.replace(
          "Endpoint", "{", "\"Name\"",
          "\"Name\",\"modifierExtension\":[{\"url\":\"urn:x\",\"valueBoolean\":true}]")
      },
      Control("social-security-numbers", 1, in: .directory, passes: true) {
        try $0.replace(
          "InsurancePlan", "{", "\"Name\"",
          "\"Name\",\"identifier\":[{\"system\":\"urn:oid:2.16.840.1.113883.4.1\",\"value\":\"123-45-6789\"}]"
        )
      },
      Control("references-lead-somewhere", 1, in: .directory, passes: true) {
        try $0.replace("PractitionerRole", "{", "Practitioner/", "Practitioner/no-")
      },
      Control("blanked-values-practitioner", 1, in: .directory, passes: true) {
        try $0.replace("Practitioner_", "{", "1234567893", "applied for")
      },
      Control("blanked-values-organization", 1, in: .directory, passes: true) {
        try $0.replace("Organization_", "{", "1234567893", "applied for")
      },
      Control("blanked-values-location", 2, in: .directory, passes: true) {
        try $0.replace(
          "Location_", "{", "\"Name\"", "\"Name\",\"position\":{\"latitude\":\"north\",\"longitude\":200}")
      },
      // A number and its extension.
      Control("blanked-values-providers", 2, in: .plans, passes: true) {
        try $0.replace("providers", "{", "\"plans\"", "\"addresses\":[{\"phone\":\"none\"}],\"plans\"")
      },
    ]

  /// The rules that each source has of records that are there twice, by a text of the key.
  private static func records(
    _ source: String, _ table: String, _ file: String, in base: Base = .directory,
    _ key: (String, String) = ("-1\"", "-2\"")
  ) -> [Control] {
    [
      // A record that says something else is rejected, so that only the place of a row can be there twice.
      Control(
        "unique-key-\(source)", 1, in: base,
        sql: "ALTER TABLE \(table) ADD CONSTRAINT once UNIQUE (release, source_file_id)"
      ) { try $0.edit(file, "{") { [$0, $0.replacing(key.0, with: key.1)] } },
      Control("row-change-\(source)", 21, in: base) { files in
        try files.edit(file, "{") { record in
          (0...21).map { number in
            let isNPI = key.0.count == 10
            let other = isNPI ? ProviderFiles.npi(number) : key.0.replacing("-1", with: "-\(number)")
            return record.replacing(key.0, with: other)
          }
        }
      },
      Control(
        "lost-keys-\(source)", 9, in: base,
        sql: longer(table, in: base == .plans ? "acme-2025-02-01" : "npd-2025-02-01")),
      Control("copies-\(source)", 1, in: base, passes: true) { try $0.double(file, "{") },
      Control("second-records-\(source)", 1, in: base, passes: true) {
        try $0.edit(file, "{") { [$0, $0.replacing("\"Name\"", with: "\"Another\"")] }
      },
    ]
  }

  /// Moments that are none, of the sources that nothing else is left blank of.
  private static let moments = resources.filter {
    !["practitioner", "organization", "location"].contains($0.0)
  }.map { source, _, file in
    Control("blanked-values-\(source)", 1, in: .directory, passes: true) {
      try $0.replace(file + "_", "{", "\"id\":", "\"meta\":{\"lastUpdated\":\"lately\"},\"id\":")
    }
  }

  /// The sources of fhir-directory with their tables, and the beginning of the file that each is read from.
  private static let resources = [
    ("practitioner", "directory.provider", "Practitioner"),
    ("organization", "directory.organization", "Organization"),
    ("network", "directory.network", "Network"),
    ("practitioner-role", "directory.practitioner_role", "PractitionerRole"),
    ("healthcare-service", "directory.healthcare_service", "HealthcareService"),
    ("location", "directory.practice_location", "Location"),
    ("endpoint", "directory.endpoint", "Endpoint"),
    ("organization-affiliation", "directory.organization_affiliation", "OrganizationAffiliation"),
    ("insurance-plan", "directory.insurance_plan", "InsurancePlan"),
  ]

  /// A directory with a resource of each kind, a file each as the National Provider Directory has them.
  static func directory(_ date: String) -> [String: String] {
    let npi = #""identifier":[{"system":"http://hl7.org/fhir/sid/us-npi","value":"1234567893"}]"#
    let resources = [
      "Practitioner": #"{"resourceType":"Practitioner","id":"p-1",\#(npi),"name":[{"family":"Name"}]}"#,
      "Organization": #"{"resourceType":"Organization","id":"o-1",\#(npi),"name":"Name"}"#,
      "Network":
        #"{"resourceType":"Organization","id":"n-1","name":"Name","type":[{"coding":[{"code":"ntwk"}]}]}"#,
      "PractitionerRole":
        #"{"resourceType":"PractitionerRole","id":"r-1","practitioner":{"reference":"Practitioner/p-1","display":"Name"}}"#,
      "HealthcareService": #"{"resourceType":"HealthcareService","id":"h-1","name":"Name"}"#,
      "Location": #"{"resourceType":"Location","id":"l-1","name":"Name"}"#,
      "Endpoint": #"{"resourceType":"Endpoint","id":"e-1","name":"Name"}"#,
      "OrganizationAffiliation":
        #"{"resourceType":"OrganizationAffiliation","id":"a-1","organization":{"reference":"Organization/o-1","display":"Name"}}"#,
      "InsurancePlan": #"{"resourceType":"InsurancePlan","id":"i-1","name":"Name"}"#,
    ]
    return Dictionary(uniqueKeysWithValues: resources.map { ("\($0)_\(date)_0600.ndjson", $1) })
  }

  /// What a health plan publishes of one provider, and of itself.
  static let plans = [
    "providers.ndjson": #"{"npi":"1234567893","type":"FACILITY","facility_name":"Name","plans":[]}"#,
    "plans.ndjson": #"{"plan_id":"12345-1","marketing_name":"Name"}"#,
  ]

  /// A directory and the providers of a plan that are loaded before those of the controls.
  static let earlier = Result { try Files(directory("2025-01-01"), in: "files") }
  static let earlierPlans = Result { try Files(plans, in: "acme-2025-01-01") }
}
