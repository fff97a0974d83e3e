extension PolicyCases {
  /// `file`: the number of one that is attached.
  private static func message(_ sender: String, _ recipient: String, file: Int? = nil, id: String? = nil)
    -> String
  {
    """
    INSERT INTO ccc.message (id, sender_id, recipient_id, content, sent_at, attachments)
    VALUES (\(row(149)), '\(sender)', '\(recipient)', 'x', now(),
      '[\((id ?? file.map { "\"\(People.id($0))\"" }).map { "{\"name\": \"f\", \"id\": \($0)}" } ?? "")]')
    """
  }

  private static func call(_ caller: String, _ callee: String) -> String {
    """
    INSERT INTO ccc.call (id, caller_id, callee_id, started_at)
    VALUES (\(row(169)), '\(caller)', '\(callee)', now())
    """
  }

  private static func emergency(_ reporter: String) -> String {
    """
    INSERT INTO ccc.emergency (id, reported_by, severity, opened_at, status)
    VALUES (\(row(179)), '\(reporter)', 'high', now(), 'open')
    """
  }

  /// CCC: who has sent or got it.
  static let ccc: [PolicyCase] = messages + callsAndEmergencies + users

  private static let messages: [PolicyCase] =
    [
      PolicyCase(ana, "SELECT * FROM ccc.message", .rows(1)),
      PolicyCase(ben, "SELECT * FROM ccc.message", .rows(2)),
      PolicyCase(carol, "SELECT * FROM ccc.message WHERE id = \(row(141))", .rows(0)),
      PolicyCase(ana, message(ana, carol), .rows(1)),
      PolicyCase(ana, message(ben, ana), .forbidden),
      PolicyCase(ben, "UPDATE ccc.message SET status = 'read' WHERE id = \(row(141))", .rows(1)),
      PolicyCase(carol, "UPDATE ccc.message SET status = 'read' WHERE id = \(row(141))", .rows(0)),
      // Without a condition nothing has to be seen to be changed.
      PolicyCase(carol, "UPDATE ccc.message SET status = 'read'", .rows(1)),
      // What was sent stays as it was sent, by whom and to whom.
      PolicyCase(ben, "UPDATE ccc.message SET sender_id = '\(carol)' WHERE id = \(row(141))", .forbidden),
      PolicyCase(ana, "UPDATE ccc.message SET recipient_id = '\(carol)' WHERE id = \(row(141))", .forbidden),
      PolicyCase(ben, "UPDATE ccc.message SET content = 'y' WHERE id = \(row(141))", .forbidden),
      PolicyCase(ana, "DELETE FROM ccc.message WHERE id = \(row(141))", .rows(1)),
      PolicyCase(ben, "DELETE FROM ccc.message WHERE id = \(row(141))", .rows(0)),
      PolicyCase(ana, "SELECT * FROM api.messages", .rows(1)),
      PolicyCase(ben, "UPDATE api.messages SET status = 'read' WHERE id = \(row(141))", .rows(1)),
      PolicyCase(ben, "UPDATE api.messages SET content = 'y' WHERE id = \(row(141))", .forbidden),
      // A file is theirs who have the message that it is attached to.
      PolicyCase(ana, "SELECT * FROM ccc.secure_file", .rows(1)),
      PolicyCase(ben, "SELECT * FROM ccc.secure_file WHERE id = \(row(151))", .rows(1)),
      PolicyCase(ana, "SELECT * FROM ccc.secure_file WHERE id = \(row(152))", .rows(0)),
      PolicyCase(carol, "SELECT * FROM ccc.secure_file", .rows(0)),
      // Who has it may send it on, and nobody opens another's by naming it, or learns that it is there.
      PolicyCase(ana, message(ana, carol, file: 151), .rows(1)),
      PolicyCase(ben, message(ben, carol, file: 151), .rows(1)),
      PolicyCase(ben, message(ben, carol, file: 152), .rows(1)),
      PolicyCase(carol, message(carol, carol, file: 151), .forbidden),
      PolicyCase(carol, message(carol, carol, file: 152), .forbidden),
      PolicyCase(carol, message(carol, carol, file: 159), .forbidden),
      // What an app numbers itself is no file.
      PolicyCase(carol, message(carol, ana, id: "1"), .rows(1)),
      PolicyCase(carol, message(carol, ana, id: "\"a.png\""), .rows(1)),
      // A receipt is the receiver's, and revoking is the sender's.
      PolicyCase(ana, "UPDATE ccc.message SET status = 'read' WHERE id = \(row(141))", .forbidden),
      PolicyCase(ana, "UPDATE ccc.message SET status = 'failed' WHERE id = \(row(141))", .rows(1)),
      PolicyCase(ana, "UPDATE ccc.message SET deleted_at = now() WHERE id = \(row(141))", .rows(1)),
      PolicyCase(ben, "UPDATE ccc.message SET deleted_at = now() WHERE id = \(row(141))", .forbidden),
    ] + refused("ccc.secure_file", "INSERT", "UPDATE", "DELETE")

  private static let callsAndEmergencies: [PolicyCase] = [
    PolicyCase(ana, "SELECT * FROM ccc.call", .rows(1)),
    PolicyCase(carol, "SELECT * FROM ccc.call WHERE id = \(row(161))", .rows(0)),
    PolicyCase(ana, call(ana, carol), .rows(1)),
    PolicyCase(ana, call(ben, ana), .forbidden),
    PolicyCase(ben, "UPDATE ccc.call SET ended_at = started_at WHERE id = \(row(161))", .rows(1)),
    PolicyCase(carol, "UPDATE ccc.call SET ended_at = started_at WHERE id = \(row(161))", .rows(0)),
    PolicyCase(carol, "UPDATE ccc.call SET outcome = 'missed'", .rows(1)),
    PolicyCase(ben, "UPDATE ccc.call SET caller_id = '\(carol)' WHERE id = \(row(161))", .forbidden),
    PolicyCase(ana, "DELETE FROM ccc.call", .forbidden),
    PolicyCase(ana, "SELECT * FROM ccc.emergency", .rows(1)),
    PolicyCase(ana, "SELECT * FROM ccc.emergency WHERE id = \(row(172))", .rows(0)),
    PolicyCase(ana, emergency(ana), .rows(1)),
    PolicyCase(ana, emergency(ben), .forbidden),
    PolicyCase(ana, "UPDATE ccc.emergency SET status = 'closed' WHERE id = \(row(171))", .rows(1)),
    PolicyCase(ana, "UPDATE ccc.emergency SET status = 'closed' WHERE id = \(row(172))", .rows(0)),
    PolicyCase(ana, "UPDATE ccc.emergency SET reported_by = '\(ben)' WHERE id = \(row(171))", .forbidden),
    PolicyCase(ana, "DELETE FROM ccc.emergency", .forbidden),
    PolicyCase(ana, "SELECT * FROM mart.emergency_open", .rows(1)),
    PolicyCase(carol, "SELECT * FROM mart.emergency_open", .rows(0)),
  ]

  private static let users: [PolicyCase] =
    [
      PolicyCase(ana, "SELECT * FROM ccc.app_user", .rows(1)),
      PolicyCase(ana, "SELECT * FROM ccc.app_user WHERE id = '\(ben)'", .rows(0)),
      PolicyCase(ana, "UPDATE ccc.app_user SET first_name = 'n'", .rows(1)),
      PolicyCase(ana, "UPDATE ccc.app_user SET first_name = 'n' WHERE id = '\(ben)'", .rows(0)),
      // Nobody gives himself a role.
      PolicyCase(ana, "UPDATE ccc.app_user SET role = 9", .forbidden),
      PolicyCase(dana, "INSERT INTO ccc.app_user (id, role) VALUES ('\(dana)', 9)", .forbidden),
      PolicyCase(dana, "INSERT INTO ccc.app_user (id, first_name) VALUES ('\(dana)', 'D')", .rows(1)),
      PolicyCase(ana, "INSERT INTO ccc.app_user (id, first_name) VALUES ('\(dana)', 'D')", .forbidden),
      PolicyCase(ana, "DELETE FROM ccc.app_user", .forbidden),
    ]
    // What the program did, and figures over everybody's messages, are the owner's alone.
    + refused("ccc.analytics_event", "SELECT", "INSERT", "UPDATE", "DELETE")
    + ["event_daily", "performance_metric", "message_status_count", "call_daily"].map {
      PolicyCase(ana, "SELECT * FROM mart.\($0)", .forbidden)
    }

  /// Who has not come yet.
  private static let dana: String = People.id(4)
}
