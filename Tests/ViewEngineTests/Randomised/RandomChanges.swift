import TestSupport

/// Makes transactions that change ``RandomSources`` in every way that a session can.
struct RandomChanges {
  /// What a session is to do.
  enum Step {
    case sql(String)
    /// Rows in the form of COPY's text.
    case copy(table: String, columns: [String], lines: [String])
  }

  /// One transaction.
  struct Transaction {
    var isolation: String
    var steps: [Step]
    var commits: Bool
  }

  /// Tables that are changed by themselves.
  enum Family: CaseIterable {
    /// `app.visit`, and what refers to it.
    case visits
    /// `app.loose`, which has no key.
    case loose
    /// `app.event`, which has partitions.
    case events
  }

  /// Whether tables are emptied, merged into or detached: what makes views compute everything.
  var isWild = false
  /// Which tables are changed; all when nil.
  private let family: Family?
  private var random: RandomNumbers

  init(seed: UInt64, of family: Family? = nil) { (random, self.family) = (RandomNumbers(seed: seed), family) }

  mutating func transaction() -> Transaction {
    var steps: [Step] = []
    for number in 0...random.below(4) {
      if random.oneIn(6) {
        // A savepoint, of which half are rolled back.
        steps.append(.sql("SAVEPOINT s\(number)"))
        steps.append(change())
        steps.append(.sql(random.oneIn(2) ? "ROLLBACK TO s\(number)" : "RELEASE s\(number)"))
      }
      steps.append(change())
    }
    let isolation = random.pick(["READ COMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
    return Transaction(isolation: isolation, steps: steps, commits: !random.oneIn(6))
  }

  /// Whether what was held open is committed at last.
  mutating func commitsHeld() -> Bool { !random.oneIn(3) }

  /// Whether a session leaves a transaction open now.
  mutating func holds() -> Bool { random.oneIn(3) }

  private mutating func change() -> Step {
    if isWild, random.oneIn(25) { return .sql(upheaval()) }
    // A change of each kind, of twelve.
    let kinds =
      switch family {
      case nil: 0..<12
      case .visits: 0..<9
      case .loose: 9..<10
      case .events: 10..<12
      }
    if family != .visits, random.oneIn(12) { return copy() }
    return switch kinds.lowerBound + random.below(kinds.count) {
    case 0...4: .sql(visit())
    case 5...7: .sql(procedure())
    case 8: .sql(random.oneIn(5) ? code() : procedure())
    case 9: .sql(loose())
    default: .sql(event())
    }
  }

  // MARK: values

  private mutating func visitID() -> Int { random.below(360) }
  private mutating func userID() -> String { random.oneIn(12) ? "NULL::int" : "\(random.below(42))" }
  private mutating func date() -> String { "date '2025-01-01' + \(random.below(365))" }
  private mutating func amount() -> String {
    random.pick(["NULL", "1", "1.0", "1.00", "2.5", "2.50", "\(random.below(90))"])
  }
  private mutating func codeValue() -> String { random.oneIn(8) ? "NULL" : "'c\(random.below(8))'" }
  private mutating func kind() -> String { random.pick(["'a'", "'b'", "'c'", "'d'", "'e'", "NULL::text"]) }

  private mutating func visitRow() -> String {
    let tags = random.pick(["NULL", "'{}'", "'{x,NULL}'", "'{x,y}'", "'{\"a b\"}'"])
    let extra = random.pick(["NULL", "'null'", "'{\"n\": 1}'", "'{\"n\": 1.0}'", "'[]'"])
    let note = random.pick(["NULL", "''", "'it''s'", "E'a\\nb'", "'é, \"q\"'"])
    return
      "(\(visitID()), \(userID()), \(date()), \(note), \(amount())::numeric, \(tags)::text[], \(extra)::jsonb)"
  }

  private mutating func rows(_ row: (inout RandomChanges) -> String) -> String {
    (0...random.below(4)).map { _ in row(&self) }.joined(separator: ", ")
  }

  // MARK: changes

  private mutating func visit() -> String {
    let columns = "id, user_id, visit_date, note, amount, tags, extra"
    switch random.below(13) {
    case 0, 1: return "INSERT INTO app.visit VALUES \(rows { $0.visitRow() }) ON CONFLICT DO NOTHING"
    case 2, 3:
      return """
        INSERT INTO app.visit AS v VALUES \(visitRow()) ON CONFLICT (id) DO UPDATE
        SET user_id = excluded.user_id, amount = coalesce(excluded.amount, v.amount), tags = excluded.tags
        """
    case 4: return "UPDATE app.visit SET user_id = \(userID()) WHERE id = \(visitID())"
    case 5: return "UPDATE app.visit SET visit_date = \(date()), note = note || '!' WHERE id = \(visitID())"
    case 6:
      let other = visitID()
      return "UPDATE app.visit SET id = \(other) WHERE id = \(visitID()) AND NOT EXISTS "
        + "(SELECT FROM app.visit WHERE id = \(other))"
    case 7:
      return """
        UPDATE app.visit SET amount = CASE WHEN scale(amount) = 1 THEN amount::numeric(10, 2) ELSE amount::numeric(10, 1) END
        WHERE id % 40 = \(random.below(40))
        """
    case 8: return "UPDATE app.visit SET extra = extra, user_id = user_id WHERE id < \(random.below(20))"
    case 9: return "DELETE FROM app.visit WHERE id = \(visitID())"
    case 10:
      return "UPDATE app.visit v SET amount = v.amount + p.units, tags = tags || p.code FROM app.procedure p "
        + "WHERE p.visit_id = v.id AND v.user_id = \(random.below(42))"
    case 11:
      return """
        MERGE INTO app.visit v USING (VALUES \(rows { $0.visitRow() })) s (\(columns)) ON v.id = s.id
        WHEN MATCHED AND s.user_id IS NULL THEN DELETE
        WHEN MATCHED AND s.amount IS NULL THEN DO NOTHING
        WHEN MATCHED THEN UPDATE SET user_id = s.user_id, visit_date = s.visit_date
        WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.user_id, s.visit_date, s.note, s.amount, s.tags, s.extra)
        """
    default:
      return
        "DELETE FROM app.visit v USING app.procedure p WHERE p.visit_id = v.id AND p.id = \(random.below(600))"
    }
  }

  private mutating func procedure() -> String {
    let id = random.below(600)
    switch random.below(8) {
    case 0, 1:
      return """
        INSERT INTO app.procedure SELECT \(id) + n, v.id, \(codeValue()), n + 0.5
        FROM app.visit v, generate_series(1, \(1 + random.below(3))) n WHERE v.id = \(visitID()) ON CONFLICT (id) DO UPDATE
        SET code = excluded.code, visit_id = excluded.visit_id
        """
    case 2: return "UPDATE app.procedure SET visit_id = NULL WHERE id = \(id)"
    case 3:
      return
        "UPDATE app.procedure SET visit_id = v.id FROM app.visit v WHERE v.id = \(visitID()) AND procedure.id = \(id)"
    case 4: return "UPDATE app.procedure SET code = \(codeValue()) WHERE id BETWEEN \(id) AND \(id + 3)"
    case 5: return "UPDATE app.procedure SET units = units::numeric(10, \(random.below(4))) WHERE id = \(id)"
    case 6: return "DELETE FROM app.procedure WHERE id BETWEEN \(id) AND \(id + random.below(4))"
    default:
      return "WITH gone AS (DELETE FROM app.procedure WHERE id = \(id) RETURNING *) "
        + "INSERT INTO app.procedure SELECT id + 1000, visit_id, code, units FROM gone ON CONFLICT DO NOTHING"
    }
  }

  private mutating func code() -> String {
    let code = "'c\(random.below(9))'"
    return switch random.below(4) {
    case 0:
      "INSERT INTO app.code VALUES (\(code), 2.5) ON CONFLICT (code) DO UPDATE SET weight = code.weight + 1"
    case 1: "UPDATE app.code SET weight = weight + 0.10 WHERE code = \(code)"
    case 2: "DELETE FROM app.code WHERE code = \(code)"
    default: "UPDATE app.code SET code = code || 'x', weight = -weight WHERE code = \(code)"
    }
  }

  private mutating func loose() -> String {
    let a = random.oneIn(8) ? "NULL" : "\(random.below(30))"
    let b = random.pick(["'b0'", "'b1'", "NULL"])
    return switch random.below(5) {
    case 0: "INSERT INTO app.loose VALUES (\(a), \(b), 1.0), (\(a), \(b), 1.0), (\(a), NULL, 1.00)"
    case 1:
      "DELETE FROM app.loose WHERE ctid = (SELECT min(ctid) FROM app.loose WHERE a IS NOT DISTINCT FROM \(a))"
    case 2: "UPDATE app.loose SET a = \(a) WHERE a = \(random.below(30)) AND b IS NOT DISTINCT FROM \(b)"
    case 3: "UPDATE app.loose SET n = n + 1, b = \(b) WHERE a IS NOT DISTINCT FROM \(a)"
    default:
      "WITH gone AS (DELETE FROM app.loose WHERE a = \(a) RETURNING *) "
        + "INSERT INTO app.loose SELECT a + 1, b, n FROM gone"
    }
  }

  private mutating func event() -> String {
    let day = random.below(20)
    let partition = random.pick(["app.event_a", "app.event_b", "app.event_c"])
    let own = partition.suffix(1)
    return switch random.below(7) {
    case 0: "INSERT INTO app.event VALUES (\(kind()), \(day), 1), (\(kind()), NULL, 2)"
    case 1: "INSERT INTO \(partition) (kind, day, size) VALUES ('\(own)', \(day), 3), ('\(own)', \(day), 3)"
    // Rows go from one partition to another.
    case 2: "UPDATE app.event SET kind = \(kind()) WHERE day = \(day) AND kind = \(kind())"
    case 3: "UPDATE \(partition) SET day = \(day), size = size + 1 WHERE day = \(random.below(20))"
    case 4: "DELETE FROM \(partition) WHERE day = \(day) AND size % 2 = 0"
    // Its views are computed as a whole then.
    case 5 where isWild:
      "MERGE INTO app.event e USING (VALUES (\(kind()), \(day))) s (kind, day) ON e.kind = s.kind AND e.day = s.day "
        + "WHEN MATCHED AND e.size > 200 THEN DELETE WHEN MATCHED THEN UPDATE SET size = e.size + 1 "
        + "WHEN NOT MATCHED THEN INSERT VALUES (s.kind, s.day, 7)"
    default: "DELETE FROM app.event WHERE day = \(day) AND kind IS NOT DISTINCT FROM \(kind())"
    }
  }

  private mutating func copy() -> Step {
    let lines = (0...random.below(20)).map { _ in
      "\(random.below(40))\tb\(random.below(5))\t\(random.below(9)).0"
    }
    if family == .loose || family == nil && random.oneIn(2) {
      return .copy(table: "app.loose", columns: ["a", "b", "n"], lines: lines)
    }
    let table = random.pick(["app.event", "app.event_a"])
    let events = (0...random.below(20)).map { _ in "a\t\(random.below(20))\t\(random.below(9))" }
    return .copy(table: table, columns: ["kind", "day", "size"], lines: events)
  }

  /// Rows for many groups at once.
  private let refill = """
    INSERT INTO app.visit SELECT n, n % 41, date '2025-01-01' + n * 11 % 365 FROM generate_series(1, 300) n
    ON CONFLICT DO NOTHING;
    INSERT INTO app.procedure SELECT n, v.id, 'c' || n % 9, n % 4 + 0.5 FROM generate_series(1, 300) n
    JOIN app.visit v ON v.id = 1 + n * 7 % 300 ON CONFLICT DO NOTHING;
    INSERT INTO app.loose SELECT n % 30, 'b' || n % 4, n % 7 FROM generate_series(1, 200) n;
    INSERT INTO app.event SELECT (ARRAY['a', 'b', 'd'])[1 + n % 3], n % 20, n FROM generate_series(1, 200) n
    """

  private mutating func upheaval() -> String {
    if random.oneIn(5) { return refill }
    return switch family ?? random.pick(Family.allCases) {
    case .visits: random.oneIn(2) ? "TRUNCATE app.visit CASCADE" : "TRUNCATE app.procedure"
    case .loose: "TRUNCATE app.loose"
    case .events: upheavalOfEvents()
    }
  }

  private mutating func upheavalOfEvents() -> String {
    switch random.below(5) {
    case 0: return "TRUNCATE app.event"
    case 1: return "TRUNCATE app.event_a"
    case 2, 3:
      return """
        DO $$ BEGIN
          IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass('app.event_c')) THEN
            ALTER TABLE app.event DETACH PARTITION app.event_c;
          ELSE
            ALTER TABLE app.event ATTACH PARTITION app.event_c FOR VALUES IN ('c');
          END IF;
        END $$
        """
    default:
      // Another table under the name of the one before.
      return """
        DROP TABLE app.event_c; CREATE TABLE app.event_c (day int, size int, kind text);
        INSERT INTO app.event_c SELECT n % 20, \(random.below(50)), 'c' FROM generate_series(1, \(random.below(30))) n;
        ALTER TABLE app.event ATTACH PARTITION app.event_c FOR VALUES IN ('c')
        """
    }
  }
}
