extension PolicyCases {
  /// CCC: who has sent or got it.
  static let ccc: [PolicyCase] =
    messages + files + callsAndEmergencies + users
    // What the program did, and figures over everybody's messages, are the owner's alone.
    + readOnly("ccc.analytics_event")
    + hidden(
      "ccc.analytics_event", "mart.event_daily", "mart.performance_metric", "mart.message_status_count",
      "mart.call_daily")

  private static let message =
    "INSERT INTO ccc.message (id, content, sent_at, sender_id, recipient_id, attachments) VALUES (#149, 'x', now(),"

  /// What was sent stays as it was sent, by whom and to whom; a receipt is the receiver's, and revoking is the
  /// sender's. Without a condition nothing has to be seen to be changed.
  private static let messages = PolicyCase.table(
    """
    ana 1 SELECT * FROM ccc.message
    ben 2 SELECT * FROM ccc.message
    carol 0 SELECT * FROM ccc.message WHERE id = #141
    ana 1 \(message) @ana, @carol, '[]')
    ana no \(message) @ben, @ana, '[]')
    ben 1 UPDATE ccc.message SET status = 'read' WHERE id = #141
    carol 0 UPDATE ccc.message SET status = 'read' WHERE id = #141
    carol 1 UPDATE ccc.message SET status = 'read'
    ben no UPDATE ccc.message SET sender_id = @carol WHERE id = #141
    ana no UPDATE ccc.message SET recipient_id = @carol WHERE id = #141
    ben no UPDATE ccc.message SET content = 'y' WHERE id = #141
    ana 1 DELETE FROM ccc.message WHERE id = #141
    ben 0 DELETE FROM ccc.message WHERE id = #141
    ana 1 SELECT * FROM api.messages
    ben 1 UPDATE api.messages SET status = 'read' WHERE id = #141
    ben no UPDATE api.messages SET content = 'y' WHERE id = #141
    ana no UPDATE ccc.message SET status = 'read' WHERE id = #141
    ana 1 UPDATE ccc.message SET status = 'failed' WHERE id = #141
    ana 1 UPDATE ccc.message SET deleted_at = now() WHERE id = #141
    ben no UPDATE ccc.message SET deleted_at = now() WHERE id = #141
    """)

  /// A file is theirs who have the message that it is attached to. Who has it may send it on, and nobody opens
  /// another's by naming it, or learns that it is there. What an app numbers itself is no file.
  private static let files =
    readOnly("ccc.secure_file")
    + PolicyCase.table(
      """
      ana 1 SELECT * FROM ccc.secure_file
      ben 1 SELECT * FROM ccc.secure_file WHERE id = #151
      ana 0 SELECT * FROM ccc.secure_file WHERE id = #152
      carol 0 SELECT * FROM ccc.secure_file
      ana 1 \(message) @ana, @carol, '[{"name": "f", "id": "{151}"}]')
      ben 1 \(message) @ben, @carol, '[{"name": "f", "id": "{151}"}]')
      ben 1 \(message) @ben, @carol, '[{"name": "f", "id": "{152}"}]')
      carol no \(message) @carol, @carol, '[{"name": "f", "id": "{151}"}]')
      carol no \(message) @carol, @carol, '[{"name": "f", "id": "{152}"}]')
      carol no \(message) @carol, @carol, '[{"name": "f", "id": "{159}"}]')
      carol 1 \(message) @carol, @ana, '[{"name": "f", "id": 1}]')
      carol 1 \(message) @carol, @ana, '[{"name": "f", "id": "a.png"}]')
      """)

  private static let callsAndEmergencies = PolicyCase.table(
    """
    ana 1 SELECT * FROM ccc.call
    carol 0 SELECT * FROM ccc.call WHERE id = #161
    ana 1 INSERT INTO ccc.call (id, caller_id, callee_id, started_at) VALUES (#169, @ana, @carol, now())
    ana no INSERT INTO ccc.call (id, caller_id, callee_id, started_at) VALUES (#169, @ben, @ana, now())
    ben 1 UPDATE ccc.call SET ended_at = started_at WHERE id = #161
    carol 0 UPDATE ccc.call SET ended_at = started_at WHERE id = #161
    carol 1 UPDATE ccc.call SET outcome = 'missed'
    ben no UPDATE ccc.call SET caller_id = @carol WHERE id = #161
    ana no DELETE FROM ccc.call
    ana 1 SELECT * FROM ccc.emergency
    ana 0 SELECT * FROM ccc.emergency WHERE id = #172
    ana 1 INSERT INTO ccc.emergency (id, reported_by, severity, opened_at, status) VALUES (#179, @ana, 'high', now(), 'open')
    ana no INSERT INTO ccc.emergency (id, reported_by, severity, opened_at, status) VALUES (#179, @ben, 'high', now(), 'open')
    ana 1 UPDATE ccc.emergency SET status = 'closed' WHERE id = #171
    ana 0 UPDATE ccc.emergency SET status = 'closed' WHERE id = #172
    ana no UPDATE ccc.emergency SET reported_by = @ben WHERE id = #171
    ana no DELETE FROM ccc.emergency
    ana 1 SELECT * FROM mart.emergency_open
    carol 0 SELECT * FROM mart.emergency_open
    """)

  /// Nobody gives himself a role.
  private static let users = PolicyCase.table(
    """
    ana 1 SELECT * FROM ccc.app_user
    ana 0 SELECT * FROM ccc.app_user WHERE id = @ben
    ana 1 UPDATE ccc.app_user SET first_name = 'n'
    ana 0 UPDATE ccc.app_user SET first_name = 'n' WHERE id = @ben
    ana no UPDATE ccc.app_user SET role = 9
    dana no INSERT INTO ccc.app_user (id, role) VALUES (@dana, 9)
    dana 1 INSERT INTO ccc.app_user (id, first_name) VALUES (@dana, 'D')
    ana no INSERT INTO ccc.app_user (id, first_name) VALUES (@dana, 'D')
    ana no DELETE FROM ccc.app_user
    """)
}
