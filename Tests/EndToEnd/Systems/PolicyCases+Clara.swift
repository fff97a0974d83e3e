extension PolicyCases {
  /// Clara Provider: users have what is their own, a provider has all.
  static let clara: [PolicyCase] =
    ownOnly("clara.patient", 31, by: "user_id") + ownOnly("clara.conversation", 41, by: "user_id")
    + ownOnly("clara.provider_review_request", 51, by: "user_id", new: ("conversation_id", "#41"))
    + ownOnly(
      "clara.follow_up_message", 61, by: "user_id",
      new: ("conversation_id, is_from_user, sent_at", "#41, true, now()"))
    + [("patient", 2), ("conversation", 2), ("provider_review_request", 3), ("follow_up_message", 3)]
    .flatMap { table, rows in
      PolicyCase.table(
        """
        carol \(rows) SELECT * FROM clara.\(table)
        carol \(rows) UPDATE clara.\(table) SET updated_at = now()
        """)
    }
    + readOnly("clara.provider") + conversations + answers
    // Figures over everybody's requests are nobody's but the owner's.
    + hidden(
      "mart.review_status_count", "mart.review_pending_by_triage", "mart.review_response_time",
      "mart.responded_today", "mart.unread_follow_up")

  private static let request = "INSERT INTO clara.provider_review_request (id, user_id, conversation_id"
  private static let message =
    "INSERT INTO clara.follow_up_message (id, user_id, conversation_id, is_from_user, sent_at) VALUES (#69,"

  /// What is written into another's conversation would be read there as that user's.
  private static let conversations = PolicyCase.table(
    """
    ana no \(request)) VALUES (#59, @ana, #42)
    ana no UPDATE clara.provider_review_request SET conversation_id = #42 WHERE id = #51
    ana no \(message) @ana, #42, true, now())
    ana no UPDATE clara.conversation SET patient_id = #32 WHERE id = #41
    ana 1 UPDATE clara.conversation SET patient_id = NULL WHERE id = #41
    ben 0 DELETE FROM clara.conversation WHERE id = #42
    ben 1 UPDATE clara.conversation SET deleted_at = now() WHERE id = #42
    ana 2 SELECT * FROM mart.conversation_timeline
    ben 2 SELECT * FROM mart.conversation_timeline
    carol 4 SELECT * FROM mart.conversation_timeline
    ana 1 SELECT * FROM mart.patient_recent_conversations
    """)

  /// Nobody but a provider answers, or speaks as one; what was answered stays as it was asked; and nobody makes
  /// a provider of himself.
  private static let answers = PolicyCase.table(
    """
    ana no \(request), status) VALUES (#59, @ana, #41, 'responded')
    ana no \(request), provider_response) VALUES (#59, @ana, #41, 'r')
    ana 1 \(request), child_name) VALUES (#59, @ana, #41, 'r')
    ana no UPDATE clara.provider_review_request SET provider_urgency = 'low' WHERE id = #51
    ana no UPDATE clara.provider_review_request SET responded_at = now() WHERE id = #51
    ana 1 UPDATE clara.provider_review_request SET child_name = 'n' WHERE id = #51
    ana no \(message) @ana, #41, false, now())
    ana no UPDATE clara.follow_up_message SET is_from_user = false WHERE id = #61
    ben no UPDATE clara.follow_up_message SET message_content = 'n' WHERE id = #63
    ben 1 UPDATE clara.follow_up_message SET is_read = true WHERE id = #63
    ben no UPDATE clara.follow_up_message SET deleted_at = now() WHERE id = #63
    ben 0 DELETE FROM clara.follow_up_message WHERE id = #63
    carol 1 DELETE FROM clara.follow_up_message WHERE id = #63
    ana no UPDATE clara.provider_review_request SET created_at = '2030-01-01' WHERE id = #51
    ben no UPDATE clara.provider_review_request SET triage_outcome = 'home_care' WHERE id = #53
    ben 1 UPDATE clara.provider_review_request SET updated_at = now() WHERE id = #53
    ben 0 DELETE FROM clara.provider_review_request WHERE id = #53
    carol 1 DELETE FROM clara.provider_review_request WHERE id = #53
    carol 1 UPDATE clara.provider_review_request SET status = 'responded' WHERE id = #52
    carol 1 \(message) @ben, #42, false, now())
    carol 1 INSERT INTO clara.patient (id, user_id) VALUES (#39, @ben)
    ana no INSERT INTO clara.provider (user_id) VALUES (@ana)
    ana 0 SELECT * FROM clara.provider
    carol 1 SELECT * FROM clara.provider
    carol no DELETE FROM clara.provider
    ana 1 SELECT * FROM api.provider_review_requests
    carol 3 SELECT * FROM api.provider_review_requests
    """)
}
