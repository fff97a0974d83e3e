/* rivulet query
description: "Who a provider is and what is known of it, of the current NPPES release: one by NPI, or 50 at most by name, place, taxonomy and network"
parameters:
  npi: {type: text, description: National Provider Identifier}
  name: {type: text, description: "last name, with the first behind it or before it; of an organisation how its name begins"}
  near: {type: text, description: "ZIP code of the place of practice: those of the same first, then those of the same three digits"}
  taxonomy: {type: text, description: "code of the Health Care Provider Taxonomy, or how it begins"}
  network: {type: text, description: "a directory that lists the provider: acme for releases such as acme-2025-11-20"}
current: {of: nppes}
receipt:
  title: '{npi} {name} {credential}'
  lines:
    Status: '{status}'
    Other names: '{other_names}'
    Taxonomies: '{taxonomies}'
    Practice: '{practice}'
    Phone: '{phone}'
    Mailing: '{mailing}'
    More places: '{more_places}'
    Identifiers: '{identifiers}'
    Official: '{official}'
    Lists: '{lists}'
    Networks: '{networks}'
    Endpoints: '{endpoints}'
    Updated: '{updated_on}'
    Release: '{release}'
example: rivulet query provider --npi 1234567893
*/
-- The sections that nobody asks for are not there, so that the server plans what is asked. Each way ends with the
-- first fifty that it finds. Where an index finds them it asks for its order (USING ~<~), or the server would gather all
-- that begin so before it takes fifty. Of a name both orders are tried: the first name may be before the last.
WITH shown AS MATERIALIZED (
  SELECT pipeline, release FROM rivulet.current_release
), listed AS MATERIALIZED (
  SELECT release, network FROM directory.network_release
), member AS NOT MATERIALIZED (
  -- Whom the directory lists. As a value, so that no other release is opened.
  SELECT npi FROM directory.provider
  WHERE release = ANY (ARRAY(SELECT release FROM listed WHERE network = lower(trim({network})))) AND npi IS NOT NULL
), found (source_id, distance) AS MATERIALIZED (
  {if npi}
  SELECT p.source_id, 0
  FROM directory.provider p
  WHERE p.release = {current} AND p.source_id = trim({npi})
  {end}{if not npi}{if name}{if not near}
  (SELECT n.source_id, 0
  FROM directory.provider_name n
  WHERE n.release = {current}
    AND directory.search_key(coalesce(n.organization, n.last_name || coalesce(' ' || n.first_name, '')))
      LIKE directory.search_key({name}) || '%'
    {if taxonomy}AND EXISTS (
      SELECT FROM directory.provider_taxonomy t
      WHERE t.release = n.release AND t.source_id = n.source_id AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'){end}
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = n.source_id::bigint){end}
  ORDER BY directory.search_key(coalesce(n.organization, n.last_name || coalesce(' ' || n.first_name, ''))) USING ~<~
  LIMIT 50)
  UNION ALL
  (SELECT n.source_id, 0
  FROM directory.provider_name n
  WHERE n.release = {current}
    AND directory.search_key(coalesce(n.organization, n.last_name || coalesce(' ' || n.first_name, '')))
      LIKE directory.search_key(directory.last_name_first({name})) || '%'
    AND directory.last_name_first({name}) <> btrim({name})
    {if taxonomy}AND EXISTS (
      SELECT FROM directory.provider_taxonomy t
      WHERE t.release = n.release AND t.source_id = n.source_id AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'){end}
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = n.source_id::bigint){end}
  ORDER BY directory.search_key(coalesce(n.organization, n.last_name || coalesce(' ' || n.first_name, ''))) USING ~<~
  LIMIT 50)
  {end}{if near}
  -- Of the ZIP code itself by its places: a name may be that of many more. Of those around it by the names.
  (SELECT a.source_id, 0
  FROM directory.provider_address a
  WHERE a.use = 'practice' AND a.release = {current}
    AND a.postal_code = left(trim({near}), 5)
    -- As a value, which is asked for of each: a join would begin with the names.
    AND true = ANY (ARRAY(
      SELECT n.key LIKE directory.search_key({name}) || '%'
        OR n.key LIKE directory.search_key(directory.last_name_first({name})) || '%'
      FROM (
        SELECT release, source_id, directory.search_key(coalesce(organization, last_name || coalesce(' ' || first_name, ''))) AS key
        FROM directory.provider_name) n
      WHERE n.release = a.release AND n.source_id = a.source_id))
    {if taxonomy}AND EXISTS (
      SELECT FROM directory.provider_taxonomy t
      WHERE t.release = a.release AND t.source_id = a.source_id AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'){end}
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = a.source_id::bigint){end}
  LIMIT 50)
  UNION ALL
  (SELECT n.source_id, 1
  FROM directory.provider_name n
  JOIN directory.provider_address a ON a.release = n.release AND a.source_id = n.source_id AND a.use = 'practice'
    AND a.postal_code LIKE left(trim({near}), 3) || '%' AND a.postal_code <> left(trim({near}), 5)
  WHERE n.release = {current}
    AND directory.search_key(coalesce(n.organization, n.last_name || coalesce(' ' || n.first_name, '')))
      LIKE directory.search_key({name}) || '%'
    {if taxonomy}AND EXISTS (
      SELECT FROM directory.provider_taxonomy t
      WHERE t.release = n.release AND t.source_id = n.source_id AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'){end}
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = n.source_id::bigint){end}
  LIMIT 50)
  UNION ALL
  (SELECT n.source_id, 1
  FROM directory.provider_name n
  JOIN directory.provider_address a ON a.release = n.release AND a.source_id = n.source_id AND a.use = 'practice'
    AND a.postal_code LIKE left(trim({near}), 3) || '%' AND a.postal_code <> left(trim({near}), 5)
  WHERE n.release = {current}
    AND directory.search_key(coalesce(n.organization, n.last_name || coalesce(' ' || n.first_name, '')))
      LIKE directory.search_key(directory.last_name_first({name})) || '%'
    AND directory.last_name_first({name}) <> btrim({name})
    {if taxonomy}AND EXISTS (
      SELECT FROM directory.provider_taxonomy t
      WHERE t.release = n.release AND t.source_id = n.source_id AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'){end}
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = n.source_id::bigint){end}
  LIMIT 50)
  {end}{end}{if not name}{if near}
  (SELECT a.source_id, 0
  FROM directory.provider_address a
  WHERE a.use = 'practice' AND a.release = {current}
    AND a.postal_code = left(trim({near}), 5)
    {if taxonomy}AND EXISTS (
      SELECT FROM directory.provider_taxonomy t
      WHERE t.release = a.release AND t.source_id = a.source_id AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'){end}
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = a.source_id::bigint){end}
  ORDER BY a.postal_code USING ~<~
  LIMIT 50)
  UNION ALL
  (SELECT a.source_id, 1
  FROM directory.provider_address a
  WHERE a.use = 'practice' AND a.release = {current}
    AND a.postal_code LIKE left(trim({near}), 3) || '%' AND a.postal_code <> left(trim({near}), 5)
    {if taxonomy}AND EXISTS (
      SELECT FROM directory.provider_taxonomy t
      WHERE t.release = a.release AND t.source_id = a.source_id AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'){end}
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = a.source_id::bigint){end}
  ORDER BY a.postal_code USING ~<~
  LIMIT 50)
  {end}{if not near}{if taxonomy}
  SELECT t.source_id, 0
  FROM directory.provider_taxonomy t
  WHERE t.release = {current}
    AND t.taxonomy LIKE upper(trim({taxonomy})) || '%'
    {if network}AND EXISTS (SELECT FROM member m WHERE m.npi = t.source_id::bigint){end}
  ORDER BY t.taxonomy USING ~<~
  LIMIT 50
  {end}{if not taxonomy}
  SELECT p.source_id, 0
  FROM member m
  JOIN directory.provider p ON p.release = {current} AND p.source_id = m.npi::text
  LIMIT 50
  {end}{end}{end}{end}
), chosen AS MATERIALIZED (
  SELECT source_id, min(distance) AS distance FROM found GROUP BY source_id ORDER BY min(distance), source_id LIMIT 50
), record AS MATERIALIZED (
  -- What may lie on other servers comes first, so that the rest is a question for this one.
  SELECT p.* FROM directory.provider p
  WHERE p.release = {current} AND p.source_id IN (SELECT source_id FROM chosen)
), named AS MATERIALIZED (
  SELECT n.source_id, n.slot, n.organization, n.prefix, n.first_name, n.middle_name, n.last_name, n.suffix, n.credential
  FROM directory.provider_name n
  WHERE n.release = {current} AND n.source_id IN (SELECT source_id FROM chosen)
), address AS MATERIALIZED (
  SELECT a.source_id, a.slot, a.use, a.phone,
    concat_ws(', ', a.line_1, a.line_2, a.city, concat_ws(' ', a.state, a.postal_code)) AS text
  FROM directory.provider_address a
  WHERE a.release = {current} AND a.source_id IN (SELECT source_id FROM chosen)
), specialty AS MATERIALIZED (
  SELECT t.source_id, t.slot, t.taxonomy, t.primary_switch, t.license, t.license_state
  FROM directory.provider_taxonomy t
  WHERE t.release = {current} AND t.source_id IN (SELECT source_id FROM chosen)
), identified AS MATERIALIZED (
  SELECT i.source_id, i.slot, i.identifier, i.state, i.issuer
  FROM directory.provider_identifier i
  WHERE i.release = {current} AND i.source_id IN (SELECT source_id FROM chosen)
), elsewhere AS MATERIALIZED (
  SELECT l.npi, r.network FROM directory.provider l JOIN listed r ON r.release = l.release
  WHERE l.npi IN (SELECT npi FROM record)
), standing AS MATERIALIZED (
  SELECT s.npi, s.standing, s.from_day, s.to_day, s.detail FROM directory.provider_standing s
  -- As a value, which every part of the view is asked by.
  WHERE s.pipeline <> 'nppes' AND s.npi = ANY (ARRAY(SELECT npi FROM record))
)
SELECT p.npi, p.entity_type, concat_ws(' ', n.organization, n.prefix, n.first_name, n.middle_name, n.last_name, n.suffix) AS name,
  n.credential,
  CASE
    WHEN p.deactivated_on IS NOT NULL AND (p.reactivated_on IS NULL OR p.reactivated_on < p.deactivated_on)
      THEN concat('deactivated on ', p.deactivated_on)
    ELSE concat_ws(', ', 'active', 'since ' || p.enumerated_on, 'reactivated on ' || p.reactivated_on)
  END AS status,
  (SELECT string_agg(o.name, '; ' ORDER BY o.name) FROM (
    SELECT concat_ws(' ', x.organization, x.first_name, x.middle_name, x.last_name) AS name
    FROM named x WHERE x.source_id = p.source_id AND x.slot > 1
    UNION
    SELECT x.organization FROM directory.provider_other_name x WHERE x.release = p.release AND x.npi = p.npi) o) AS other_names,
  (SELECT string_agg(concat_ws(' ', t.taxonomy, coalesce(x.display_name, nullif(concat_ws(', ', x.classification, x.specialization), '')),
      CASE WHEN t.primary_switch = 'Y' THEN '(primary)' END, 'licence ' || t.license, 'of ' || t.license_state), '; '
      ORDER BY t.primary_switch = 'Y' DESC NULLS LAST, t.slot)
    FROM specialty t
    LEFT JOIN directory.taxonomy x ON x.code = t.taxonomy
      AND x.release = (SELECT release FROM shown WHERE pipeline = 'nucc')
    WHERE t.source_id = p.source_id) AS taxonomies,
  (SELECT a.text FROM address a
    WHERE a.source_id = p.source_id AND a.use = 'practice' ORDER BY a.slot LIMIT 1) AS practice,
  (SELECT a.phone FROM address a
    WHERE a.source_id = p.source_id AND a.use = 'practice' ORDER BY a.slot LIMIT 1) AS phone,
  (SELECT a.text FROM address a
    WHERE a.source_id = p.source_id AND a.use = 'mailing' ORDER BY a.slot LIMIT 1) AS mailing,
  (SELECT string_agg(concat_ws(', ', l.line_1, l.line_2, l.city, concat_ws(' ', l.state, l.postal_code)), '; ' ORDER BY l.source_line)
    FROM directory.practice_location l WHERE l.release = p.release AND l.npi = p.npi) AS more_places,
  (SELECT string_agg(concat_ws(' ', i.identifier, i.state, i.issuer), '; ' ORDER BY i.slot)
    FROM identified i WHERE i.source_id = p.source_id) AS identifiers,
  nullif(concat_ws(', ', nullif(concat_ws(' ', p.official_first_name, p.official_last_name), ''), p.official_title), '') AS official,
  (SELECT string_agg(concat_ws(' ', replace(s.standing, '_', ' '), 'from ' || s.from_day, 'to ' || s.to_day, '(' || s.detail || ')'),
      '; ' ORDER BY s.from_day, s.standing)
    FROM standing s WHERE s.npi = p.npi) AS lists,
  (SELECT string_agg(DISTINCT l.network, ', ') FROM elsewhere l WHERE l.npi = p.npi) AS networks,
  (SELECT string_agg(concat_ws(' ', e.type, e.address), '; ' ORDER BY e.source_line)
    FROM directory.endpoint e WHERE e.release = p.release AND e.npi = p.npi) AS endpoints,
  p.enumerated_on, p.updated_on, p.release,
  CASE
    WHEN coalesce({npi}, {name}, {near}, {taxonomy}, {network}) IS NULL
      THEN 'nothing is asked for: give --npi, --name, --near, --taxonomy or --network'
    WHEN {current} IS NULL THEN 'no release of nppes is current: rivulet run nppes loads one'
    WHEN NOT EXISTS (SELECT FROM shown WHERE pipeline = 'nppes' AND release = {current})
      THEN 'the current release of nppes has changed meanwhile: ask again'
    WHEN {name} IS NOT NULL AND directory.search_key({name}) IS NULL THEN 'the name has no letter'
    WHEN p.source_id IS NULL
      THEN concat_ws(' ', 'no provider of', {current}, 'has',
        concat_ws(' and ', 'NPI ' || {npi}, 'a name that begins with ' || {name},
          'a place of practice with a ZIP code that begins with ' || left(trim({near}), 3), 'taxonomy ' || {taxonomy},
          'a place in the directory ' || {network}))
  END AS rivulet_refusal
FROM (SELECT 1) one
LEFT JOIN chosen c ON true
LEFT JOIN record p ON p.source_id = c.source_id
LEFT JOIN named n ON n.source_id = p.source_id AND n.slot = 1
ORDER BY c.distance, p.source_id
