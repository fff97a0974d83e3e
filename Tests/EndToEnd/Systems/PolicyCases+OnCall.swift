extension PolicyCases {
  /// Who's On Call: who has signed in reads, and nobody writes.
  static let onCall: [PolicyCase] =
    ["schedule", "directory", "setting"].flatMap { table in
      [PolicyCase(ana, "SELECT * FROM oncall.\(table)", .rows(1))]
        + refused(
          "oncall.\(table)", "INSERT", "UPDATE", "DELETE",
          setting: table == "setting" ? "value" : "updated_at")
    } + [
      PolicyCase(
        ana, "SELECT * FROM mart.on_call_now('2026-01-05 12:00+00') WHERE phone_number = '+12125550100'",
        .rows(1)),
      PolicyCase(ana, "SELECT * FROM api.schedules", .rows(1)),
      PolicyCase(ana, "SELECT * FROM api.directory", .rows(1)),
      PolicyCase(ana, "DELETE FROM api.directory", .forbidden),
      PolicyCase(ana, "UPDATE api.schedules SET provider = 'p'", .forbidden),
      PolicyCase(ana, "SELECT * FROM oncall.shift", .rows(1)),
      PolicyCase(ana, "SELECT * FROM oncall.search_directory('a')", .rows(1)),
      PolicyCase(ana, "SELECT * FROM oncall.search_schedule('a')", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.on_call_filter_values", .rows(2)),
      PolicyCase(ana, "SELECT * FROM mart.on_call_gap", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.on_call_unmatched", .rows(0)),
    ]
}
