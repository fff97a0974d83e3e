extension PolicyCases {
  private static func review(_ column: String, _ value: String) -> String {
    """
    INSERT INTO clara.provider_review_request (id, user_id, conversation_id, \(column))
    VALUES (\(row(59)), '\(ana)', \(row(41)), \(value))
    """
  }

  /// Clara Provider: users have what is their own, a provider has all.
  static let clara: [PolicyCase] =
    ownOnly("clara.patient", 31, owner: ("user_id", "'\(ana)'", "'\(ben)'"))
    + ownOnly("clara.conversation", 41, owner: ("user_id", "'\(ana)'", "'\(ben)'"))
    + ownOnly(
      "clara.provider_review_request", 51, owner: ("user_id", "'\(ana)'", "'\(ben)'"),
      columns: "conversation_id",
      values: row(41))
    + ownOnly(
      "clara.follow_up_message", 61, owner: ("user_id", "'\(ana)'", "'\(ben)'"),
      columns: "conversation_id, is_from_user, sent_at", values: "\(row(41)), true, now()")
    + [("patient", 2), ("conversation", 2), ("provider_review_request", 3), ("follow_up_message", 3)]
    .flatMap { table, rows in
      [
        PolicyCase(carol, "SELECT * FROM clara.\(table)", .rows(rows)),
        PolicyCase(carol, "UPDATE clara.\(table) SET updated_at = now()", .rows(rows)),
      ]
    }
    + refused("clara.provider", "INSERT", "UPDATE", "DELETE")
    + [
      // What is written into another's conversation would be read there as that user's.
      PolicyCase(
        ana,
        "INSERT INTO clara.provider_review_request (id, user_id, conversation_id) VALUES (\(row(59)), '\(ana)', \(row(42)))",
        .forbidden),
      PolicyCase(
        ana, "UPDATE clara.provider_review_request SET conversation_id = \(row(42)) WHERE id = \(row(51))",
        .forbidden),
      PolicyCase(
        ana,
        "INSERT INTO clara.follow_up_message (id, user_id, conversation_id, is_from_user, sent_at) VALUES (\(row(69)), '\(ana)', \(row(42)), true, now())",
        .forbidden),
      PolicyCase(
        ana, "UPDATE clara.conversation SET patient_id = \(row(32)) WHERE id = \(row(41))", .forbidden),
      PolicyCase(ana, "UPDATE clara.conversation SET patient_id = NULL WHERE id = \(row(41))", .rows(1)),
      // Nobody but a provider answers, or speaks as one.
      PolicyCase(ana, review("status", "'responded'"), .forbidden),
      PolicyCase(ana, review("provider_response", "'r'"), .forbidden),
      PolicyCase(ana, review("child_name", "'r'"), .rows(1)),
      PolicyCase(
        ana, "UPDATE clara.provider_review_request SET provider_urgency = 'low' WHERE id = \(row(51))",
        .forbidden),
      PolicyCase(
        ana, "UPDATE clara.provider_review_request SET responded_at = now() WHERE id = \(row(51))", .forbidden
      ),
      PolicyCase(
        ana, "UPDATE clara.provider_review_request SET child_name = 'n' WHERE id = \(row(51))", .rows(1)),
      PolicyCase(
        ana,
        "INSERT INTO clara.follow_up_message (id, user_id, conversation_id, is_from_user, sent_at) VALUES (\(row(69)), '\(ana)', \(row(41)), false, now())",
        .forbidden),
      PolicyCase(
        ana, "UPDATE clara.follow_up_message SET is_from_user = false WHERE id = \(row(61))", .forbidden),
      PolicyCase(
        ben, "UPDATE clara.follow_up_message SET message_content = 'n' WHERE id = \(row(63))", .forbidden),
      PolicyCase(ben, "UPDATE clara.follow_up_message SET is_read = true WHERE id = \(row(63))", .rows(1)),
      PolicyCase(
        ben, "UPDATE clara.follow_up_message SET deleted_at = now() WHERE id = \(row(63))", .forbidden),
      PolicyCase(ben, "DELETE FROM clara.follow_up_message WHERE id = \(row(63))", .rows(0)),
      PolicyCase(carol, "DELETE FROM clara.follow_up_message WHERE id = \(row(63))", .rows(1)),
      // What was answered stays as it was asked.
      PolicyCase(
        ana, "UPDATE clara.provider_review_request SET created_at = '2030-01-01' WHERE id = \(row(51))",
        .forbidden),
      PolicyCase(
        ben, "UPDATE clara.provider_review_request SET triage_outcome = 'home_care' WHERE id = \(row(53))",
        .forbidden),
      PolicyCase(
        ben, "UPDATE clara.provider_review_request SET updated_at = now() WHERE id = \(row(53))", .rows(1)),
      PolicyCase(ben, "DELETE FROM clara.provider_review_request WHERE id = \(row(53))", .rows(0)),
      PolicyCase(carol, "DELETE FROM clara.provider_review_request WHERE id = \(row(53))", .rows(1)),
      PolicyCase(ben, "DELETE FROM clara.conversation WHERE id = \(row(42))", .rows(0)),
      PolicyCase(ben, "UPDATE clara.conversation SET deleted_at = now() WHERE id = \(row(42))", .rows(1)),
      // A provider answers in the conversations of users.
      PolicyCase(
        carol, "UPDATE clara.provider_review_request SET status = 'responded' WHERE id = \(row(52))", .rows(1)
      ),
      PolicyCase(
        carol,
        "INSERT INTO clara.follow_up_message (id, user_id, conversation_id, is_from_user, sent_at) VALUES (\(row(69)), '\(ben)', \(row(42)), false, now())",
        .rows(1)),
      PolicyCase(carol, "INSERT INTO clara.patient (id, user_id) VALUES (\(row(39)), '\(ben)')", .rows(1)),
      // Nobody makes a provider of himself.
      PolicyCase(ana, "INSERT INTO clara.provider (user_id) VALUES ('\(ana)')", .forbidden),
      PolicyCase(ana, "SELECT * FROM clara.provider", .rows(0)),
      PolicyCase(carol, "SELECT * FROM clara.provider", .rows(1)),
      PolicyCase(carol, "DELETE FROM clara.provider", .forbidden),
      PolicyCase(ana, "SELECT * FROM api.provider_review_requests", .rows(1)),
      PolicyCase(carol, "SELECT * FROM api.provider_review_requests", .rows(3)),
      PolicyCase(ana, "SELECT * FROM mart.conversation_timeline", .rows(2)),
      PolicyCase(ben, "SELECT * FROM mart.conversation_timeline", .rows(2)),
      PolicyCase(carol, "SELECT * FROM mart.conversation_timeline", .rows(4)),
      PolicyCase(ana, "SELECT * FROM mart.patient_recent_conversations", .rows(1)),
    ]
    // Figures over everybody's requests are nobody's but the owner's.
    + [
      "review_status_count", "review_pending_by_triage", "review_response_time", "responded_today",
      "unread_follow_up",
    ].map { PolicyCase(carol, "SELECT * FROM mart.\($0)", .forbidden) }
}
