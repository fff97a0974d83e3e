/// What the catalog is asked of a column.
extension ChangedColumn {
  /// A name of an object beside the one that it is to replace, of 63 bytes at most.
  private static func newName(_ name: String) -> String {
    "quote_ident(CASE WHEN octet_length(\(name)::text) < 60 THEN \(name) || '_new' ELSE 'new_' || md5(\(name)::text) END)"
  }

  static let columnQuery = """
    SELECT c.oid::regclass::text, c.relkind = 'p', quote_ident(attname),
      concat(format_type(atttypid, atttypmod), (SELECT ' COLLATE ' || l.oid::regcollation::text
        FROM pg_collation l JOIN pg_type t ON t.oid = atttypid WHERE l.oid = attcollation AND attcollation <> typcollation)),
      attnotnull, CASE WHEN attgenerated = '' THEN pg_get_expr(adbin, adrelid) END,
      CASE attidentity WHEN 'a' THEN 'ALWAYS' WHEN 'd' THEN 'BY DEFAULT' END,
      own::regclass::text,
      concat(quote_ident(nspname), '.', quote_ident(concat(left(relname, 25), '_', left(new, 25), '_seq'))),
      col_description(c.oid, attnum), quote_ident(new),
      concat(quote_ident(nspname), '.', quote_ident(concat(left(relname, 20), '_', left(attname, 20), '_', left(new, 20)))),
      -- After the others, by name.
      quote_ident(concat('zz_', left(attname, 29), '_', left(new, 29))),
      quote_ident(concat(left(relname, 25), '_', left(new, 25), '_is_there')),
      ARRAY(SELECT quote_ident(k.attname) FROM pg_index i, unnest(i.indkey[:i.indnkeyatts - 1]) WITH ORDINALITY n (number, place)
        JOIN pg_attribute k ON k.attnum = number WHERE k.attrelid = c.oid AND i.indexrelid = (
          SELECT indexrelid FROM pg_index WHERE indrelid = c.oid AND indisunique AND indisvalid AND indpred IS NULL
            AND NOT EXISTS (SELECT FROM unnest(indkey[:indnkeyatts - 1]) u LEFT JOIN pg_attribute x
              ON x.attrelid = c.oid AND x.attnum = u AND x.attnotnull WHERE x.attnum IS NULL)
          ORDER BY indisprimary DESC, indnkeyatts, indexrelid LIMIT 1) ORDER BY n.place),
      ARRAY(SELECT quote_ident(tgname) FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal
        AND tgtype::int & 1 = 1 ORDER BY tgname),
      relrowsecurity, (SELECT \(ObjectKind.sequenceOptions) FROM pg_sequence s WHERE seqrelid = own),
      (SELECT format_type(seqtypid, NULL) FROM pg_sequence WHERE seqrelid = own),
      CASE WHEN c.relkind NOT IN ('r', 'p') THEN 'it is no column of a table'
        WHEN c.relispartition THEN 'its table is a partition: name the table that it is a part of'
        WHEN EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid OR inhparent = c.oid AND c.relkind = 'r')
        THEN 'its table inherits from another, or another from it'
        WHEN EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = c.oid AND attnum = ANY (partattrs))
        THEN 'its table is partitioned by it'
        WHEN attgenerated <> '' THEN 'its values are generated: make another column with the other expression'
        WHEN EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = new AND NOT t.attisdropped)
        THEN format('there is a column %s already', new)
        WHEN octet_length(new) > 63 THEN 'the new name is longer than 63 bytes'
        WHEN concat(relname, nspname, attname, new) ~ '[\\n\\r]' THEN 'a name has a line end in it' END
    FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace JOIN pg_attribute a ON attrelid = c.oid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum,
    LATERAL (SELECT coalesce($3, left(attname, 59) || '_new') AS new) n,
    LATERAL (SELECT pg_get_serial_sequence(c.oid::regclass::text, attname)::regclass AS own) o
    WHERE c.oid = $1::oid AND attname = $2 AND attnum > 0 AND NOT attisdropped
    """

  static let grantQuery = """
    SELECT privilege_type, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END, is_grantable
    FROM pg_attribute, aclexplode(attacl) WHERE attrelid = $1::oid AND attname = $2 ORDER BY 1, 2
    """

  /// Constraints, and indexes that are none of a constraint's.
  static let partQuery = """
    SELECT contype::text, quote_ident(conname), \(newName("conname")), pg_get_constraintdef(k.oid),
      CASE WHEN contype IN ('p', 'u') THEN replace(pg_get_indexdef(conindid), ' ON ONLY ', ' ON ') END,
      pg_get_expr(conbin, conrelid)
    FROM pg_constraint k JOIN pg_attribute a ON attrelid = conrelid AND attnum = ANY (conkey)
    WHERE conrelid = $1::oid AND attname = $2 AND contype IN ('c', 'f', 'p', 'u') AND conparentid = 0
    UNION ALL SELECT DISTINCT 'i', quote_ident(relname), \(newName("relname")),
      replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON '), NULL,
      nullif(concat_ws(', ', pg_get_expr(indexprs, indrelid), pg_get_expr(indpred, indrelid)), '')
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid
    JOIN pg_depend d ON (classid, objid, refclassid) = ('pg_class'::regclass, c.oid, 'pg_class'::regclass) AND refobjid = indrelid
    JOIN pg_attribute a ON attrelid = indrelid AND attnum = refobjsubid
    WHERE indrelid = $1::oid AND attname = $2
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid AND contype IN ('p', 'u', 'x'))
    ORDER BY 1 DESC, 2
    """

  /// What depends on the column, in the table or one of its partitions, and is none of the parts that are made
  /// again.
  static let otherQuery = """
    SELECT DISTINCT pg_describe_object(classid, objid, objsubid)
    FROM pg_depend d JOIN pg_attribute a ON attrelid = refobjid AND attnum = refobjsubid
    WHERE refclassid = 'pg_class'::regclass AND attname = $2
      AND refobjid IN (SELECT $1::oid UNION SELECT relid FROM pg_partition_tree($1::oid::regclass))
      AND NOT EXISTS (SELECT FROM pg_attrdef f WHERE (classid, objid) = ('pg_attrdef'::regclass, f.oid)
        AND adrelid = attrelid AND adnum = attnum)
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE (classid, objid) = ('pg_constraint'::regclass, k.oid)
        AND conrelid = attrelid AND contype <> 'x' AND (conrelid = $1::oid OR NOT conislocal OR conparentid <> 0))
      AND NOT EXISTS (SELECT FROM pg_class c WHERE (classid, objid) = ('pg_class'::regclass, c.oid)
        AND (relkind IN ('i', 'I') AND (refobjid = $1::oid OR relispartition) OR relkind = 'S' AND deptype IN ('a', 'i')))
    UNION SELECT 'the replica identity of ' || indrelid::regclass
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
    WHERE indrelid = $1::oid AND indisreplident AND attname = $2
    ORDER BY 1
    """
}
